/** An account with very many of everything, written straight into a service's SQLite database: a few seconds for all of it. */
import type { TestAccount } from './account.ts';
import { auditLines } from './crowd/audit.ts';
import { devices, groups, presence } from './crowd/devices.ts';
import { chosen, insert, type Context } from './crowd/rows.ts';
import { others, support } from './crowd/support.ts';
import { grants, team } from './crowd/team.ts';
import type { TestService } from './service.ts';
import type { PanelFixture } from './panel-fixture.ts';
import { runSql } from './raw-sql.ts';

/** Fills the account, whose owner also looks after the server; one of each kind has very many of the others. */
export async function crowd(
  service: TestService,
  { id: accountId, owner }: TestAccount,
): Promise<PanelFixture> {
  const context: Context = {
    accountId,
    ownerId: owner.id,
    ownerEmail: owner.email,
    now: service.server.store.now(),
  };
  const rows = [
    groups(context),
    devices(context),
    presence(context),
    ...team(context),
    ...grants(context),
    ...support(context),
    ...others(context),
  ];
  for (const each of rows) await runSql(service, insert(each));
  await auditLines(service, context);
  await runSql(service, `update member set operator = 1 where id = ${owner.id}`);
  await runSql(
    service,
    `update account set rights_version = rights_version + 1 where account_id = ${accountId}`,
  );
  return {
    parts: {
      'devices:id': String(chosen),
      'people:email': 'person-00001@example.com',
      'people:id': String(chosen),
      'departments:id': String(chosen),
      'roles:id': String(chosen),
      'groups:id': String(chosen),
    },
    tabs: ['hardware', 'software', 'files', 'history', 'access', 'settings'],
  };
}
