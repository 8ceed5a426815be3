/** Reads of sessions in SQL: by id, by secret, and whether they are still valid. */
import type { Kysely, Selectable } from 'kysely';
import { effectivePolicy, parsePolicy } from '../../domain/devices/policies.ts';
import type { SessionOrigin, SessionValidity } from '../../domain/sessions/sessions.ts';
import type { InvitationStatus } from '../../domain/support.ts';
import type { Reader } from '../engine/database.ts';
import type { StoredSession } from '../records.ts';
import type { SessionTable, Tables } from '../engine/schema.ts';
import type { Reads } from '../store.ts';
import { rightsVersionAt } from '../people/account-versions.ts';

const toStoredSession = (row: Selectable<SessionTable>): StoredSession => ({
  id: row.id,
  accountId: row.account_id,
  memberId: row.member_id,
  agentId: row.agent_id,
  invitationId: row.invitation_id,
  origin: row.door as SessionOrigin,
  permissions: JSON.parse(row.permissions) as string[],
  record: row.record === 1,
  stop: row.stop_time,
  begun: row.begun === 1,
});

const selectValidity = (db: Kysely<Tables>, ids: readonly number[], now: number) =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account.account_id', 'session.account_id')
    .leftJoin('agent', 'agent.id', 'session.agent_id')
    .leftJoin('agent_group as group', 'group.id', 'agent.group_id')
    .leftJoin('invitation', 'invitation.id', 'session.invitation_id')
    .select(['session.id', 'session.holder', 'session.stop_time', 'session.member_id'])
    .select(rightsVersionAt(now).as('rights_version'))
    .select(['agent.id as agent_id', 'agent.group_id', 'agent.link_time', 'agent.added_over_files'])
    .select(['agent.approved', 'agent.permanent_enabled', 'invitation.status'])
    .select(['agent.policy', 'group.policy as group_policy', 'account.policy as account_policy'])
    .where('session.id', 'in', [...ids]);

type ValidityRow = Awaited<ReturnType<ReturnType<typeof selectValidity>['executeTakeFirstOrThrow']>>;

const allowsOnetime = (row: ValidityRow): boolean =>
  effectivePolicy({
    account: parsePolicy(row.account_policy),
    group: parsePolicy(row.group_policy ?? '{}'),
    device: parsePolicy(row.policy ?? '{}'),
  }).onetime_url === 'allow';

const toValidity = (row: ValidityRow): SessionValidity => ({
  id: row.id,
  holder: row.holder,
  stop: row.stop_time,
  memberId: row.member_id,
  rightsVersion: row.rights_version,
  agent:
    row.agent_id === null
      ? null
      : {
          id: row.agent_id,
          groupId: row.group_id,
          linkTime: row.link_time!,
          addedOverFiles: row.added_over_files === 1,
          approved: row.approved === 1,
          permanentEnabled: row.permanent_enabled === 1,
          onetimeAllowed: allowsOnetime(row),
        },
  status: row.status as InvitationStatus | null,
});

export const sessionReads = (reader: Reader, now: () => number): Reads['sessions'] => ({
  async find(accountId, id) {
    const row = await reader(accountId)
      .selectFrom('session')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toStoredSession(row);
  },

  async bySecret(id, secretDigest) {
    const row = await reader('all')
      .selectFrom('session')
      .selectAll()
      .where('id', '=', id)
      .where('secret_digest', '=', secretDigest)
      .where('secret_digest', '<>', '')
      .executeTakeFirst();
    return row && toStoredSession(row);
  },

  async validity(ids) {
    if (ids.length === 0) return [];
    const rows = await selectValidity(reader('all'), ids, now()).execute();
    return rows.map(toValidity);
  },
});
