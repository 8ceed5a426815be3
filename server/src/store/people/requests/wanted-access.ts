/** What a request for access asks for, found in SQL. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import { mayAskFor, type NewAccessRequest } from '../../../domain/people/access-requests.ts';
import type { Role } from '../../../domain/people/roles.ts';
import type { Tables } from '../../engine/schema.ts';
import type { Tx } from '../../engine/transaction.ts';
import { resolveScope } from '../access.ts';
import { loadActor } from '../actors.ts';
import { findRole } from '../roles.ts';
import { requestSettings } from './request-reads.ts';

/** A role, and the device or group that it is wanted on. */
export interface WantedAccess {
  role: Role;
  scope: { agent_id: number | null; group_id: number | null };
}

async function groupOfAgent(db: Kysely<Tables>, accountId: number, id: number): Promise<number | null> {
  const row = await db
    .selectFrom('agent')
    .select('group_id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.group_id ?? null;
}

/** What a request asks for. What the person does not see is not found. */
export async function resolveWanted(
  tx: Tx,
  input: NewAccessRequest,
): Promise<WantedAccess | Fault<'not_found' | 'invalid'>> {
  const { accountId, memberId, minutes } = input;
  const { maxMinutes } = await requestSettings(tx.db, accountId);
  if (maxMinutes === 0)
    return fault('invalid', {
      code: 'requests_off',
      message: 'This account does not take requests for access.',
    });
  if (minutes > maxMinutes)
    return fault('invalid', { field: 'minutes', message: `must be at most ${maxMinutes}` });
  const actor = await loadActor(tx, accountId, memberId);
  const role = await findRole(tx.db, accountId, input.roleId);
  if (!actor || !role || (role.type !== 'agent' && role.type !== 'group'))
    return fault('not_found', { field: 'role_id' });
  const scope = await resolveScope(tx.db, input, role);
  if (isFault(scope)) return scope;
  const { agent_id: id, group_id: groupId } = scope;
  const target =
    id === null ? { groupId: groupId! } : { id, groupId: await groupOfAgent(tx.db, accountId, id) };
  return mayAskFor(actor, target)
    ? { role, scope }
    : fault('not_found', { field: role.type === 'agent' ? 'agent_id' : 'group_id' });
}
