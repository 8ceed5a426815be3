/**
 * An account with very many of everything, written directly into a service's SQLite database within a few
 * seconds.
 */
import type { TestAccount } from './account.ts';
import { insertAuditLines } from './large-account/audit.ts';
import { deviceRows, groupRows, presenceRows } from './large-account/devices.ts';
import { busiestRowId, toInsert, type LargeAccount } from './large-account/rows.ts';
import { otherAccountRows, supportRows } from './large-account/support.ts';
import { grantRows, teamRows } from './large-account/team.ts';
import type { TestService } from './service.ts';
import type { PanelFixture } from './panel-fixture.ts';
import { runSql } from './raw-sql.ts';

/**
 * Fills the account, whose owner also administers the server; one of each kind has very many of the others.
 */
export async function fillLargeAccount(
  service: TestService,
  { id: accountId, owner }: TestAccount,
): Promise<PanelFixture> {
  const largeAccount: LargeAccount = {
    accountId,
    ownerId: owner.id,
    ownerEmail: owner.email,
    now: service.server.store.now(),
  };
  const rows = [
    groupRows(largeAccount),
    deviceRows(largeAccount),
    presenceRows(largeAccount),
    ...teamRows(largeAccount),
    ...grantRows(largeAccount),
    ...supportRows(largeAccount),
    ...otherAccountRows(largeAccount),
  ];
  for (const each of rows) await runSql(service, toInsert(each));
  await insertAuditLines(service, largeAccount);
  await runSql(service, `update member set operator = 1 where id = ${owner.id}`);
  await runSql(
    service,
    `update account set rights_version = rights_version + 1 where account_id = ${accountId}`,
  );
  return {
    parts: {
      'devices:id': String(busiestRowId),
      'people:email': 'person-00001@example.com',
      'people:id': String(busiestRowId),
      'departments:id': String(busiestRowId),
      'directories:id': String(busiestRowId),
      'roles:id': String(busiestRowId),
      'providers:id': String(busiestRowId),
      'groups:id': String(busiestRowId),
    },
    tabs: ['hardware', 'software', 'files', 'history', 'access', 'settings'],
  };
}
