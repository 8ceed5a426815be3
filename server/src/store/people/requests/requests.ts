/** Requests for access in SQL: asked, decided, and the grants that they become. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { Permission } from '@drawbridge/contract/permissions';
import type { Kysely } from 'kysely';
import { mayTeam } from '../../../domain/people/access.ts';
import {
  maxToldOfEmergency,
  maxToldOfRequest,
  requestLifetime,
  requestStateAt,
  type NewAccessRequest,
} from '../../../domain/people/access-requests.ts';
import type { Role } from '../../../domain/people/roles.ts';
import type { Tables } from '../../engine/schema.ts';
import type { ChangesOf, Tx } from '../../engine/transaction.ts';
import { bumpRightsVersion, lockRights } from '../account-versions.ts';
import { loadActor } from '../actors.ts';
import { addGrantEntry, giveWithinRights } from '../give-access.ts';
import { findRole } from '../roles.ts';
import { queueRequestEvent } from '../webhooks/queue-event.ts';
import { decidersFor } from './deciders.ts';
import { findHourlyExcess, findWaitingExcess } from './request-limits.ts';
import { requestSettings } from './request-reads.ts';
import { sweepRequests } from './sweep.ts';
import { resolveWanted, type WantedAccess } from './wanted-access.ts';

const ownRequest = {
  field: 'id',
  code: 'own_request',
  message: 'Nobody decides about their own request. Ask somebody else.',
};
const alreadyDecided = {
  field: 'id',
  code: 'already_decided',
  message: 'This request was answered, withdrawn or has expired.',
};

const roleChanged = {
  field: 'id',
  code: 'role_changed',
  message:
    'The role no longer permits what was asked for. Deny the request; the person can ask again for what it permits now.',
};

/** Whether the role still permits what was asked for, and nothing else. */
const isUnchanged = ({ permissions }: RequestRow, role: Role): boolean =>
  permissions !== null &&
  new Set(role.permissions).symmetricDifference(new Set(JSON.parse(permissions) as Permission[])).size === 0;

async function findRequest({ db }: Tx, accountId: number, id: number) {
  return db
    .selectFrom('access_request')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

type RequestRow = NonNullable<Awaited<ReturnType<typeof findRequest>>>;

const stateOf = (row: RequestRow, now: number) =>
  requestStateAt({ state: row.state, expireTime: row.expire_time, until: row.until_time }, now);

const updateRequest = (
  db: Kysely<Tables>,
  { account_id, id }: RequestRow,
  set: Partial<Omit<RequestRow, 'id' | 'account_id'>>,
) =>
  db
    .updateTable('access_request')
    .set(set)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();

const addRequest = (
  { db, now }: Tx,
  { accountId, memberId, reason, minutes }: NewAccessRequest,
  { role, scope }: WantedAccess,
  more: Pick<RequestRow, 'state' | 'emergency' | 'until_time'>,
) =>
  db
    .insertInto('access_request')
    .values({
      account_id: accountId,
      member_id: memberId,
      role_id: role.id,
      ...scope,
      permissions: JSON.stringify(role.permissions),
      reason,
      minutes,
      create_time: now,
      expire_time: now + requestLifetime,
      decided_by: null,
      decide_time: null,
      decision: '',
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow();

/** The request, if this person may answer it now. */
async function findUndecided(
  tx: Tx,
  { accountId, by, id }: { accountId: number; by: number; id: number },
): Promise<RequestRow | Fault<'not_found' | 'invalid' | 'forbidden'>> {
  const request = await findRequest(tx, accountId, id);
  if (!request) return fault('not_found', { field: 'id' });
  if (request.member_id === by) return fault('forbidden', ownRequest);
  return stateOf(request, tx.now) === 'waiting' ? request : fault('invalid', alreadyDecided);
}

type ChangeNames = 'create' | 'emergency' | 'approve' | 'deny' | 'cancel' | 'settings' | 'sweep';

export const requestChanges: ChangesOf<`requests/${ChangeNames}`> = {
  'requests/create': async function (tx, input) {
    await lockRights(tx.db, input.accountId);
    const wanted = await resolveWanted(tx, input);
    if (isFault(wanted)) return wanted;
    const excess = (await findWaitingExcess(tx, input)) ?? (await findHourlyExcess(tx, input));
    if (excess) return excess;
    const { id } = await addRequest(tx, input, wanted, { state: 'waiting', emergency: 0, until_time: null });
    await queueRequestEvent(tx, input.accountId, 'access_requested', id);
    return { id, deciders: await decidersFor(tx, input, maxToldOfRequest) };
  },

  'requests/emergency': async function (tx, input) {
    const { accountId, memberId } = input;
    await bumpRightsVersion(tx.db, accountId);
    const wanted = await resolveWanted(tx, input);
    if (isFault(wanted)) return wanted;
    if (!(await requestSettings(tx.db, accountId)).emergency)
      return fault('forbidden', {
        code: 'emergency_off',
        message: 'The owner of this account has not allowed emergency access. Ask for access instead.',
      });
    const excess = await findHourlyExcess(tx, input);
    if (excess) return excess;
    const until = tx.now + input.minutes * 60;
    const { id } = await addRequest(tx, input, wanted, {
      state: 'approved',
      emergency: 1,
      until_time: until,
    });
    await addGrantEntry(tx.db, accountId, {
      role_id: wanted.role.id,
      member_id: memberId,
      department_id: null,
      ...wanted.scope,
      until,
      request_id: id,
    });
    await queueRequestEvent(tx, accountId, 'emergency_access', id);
    return { id, until, deciders: await decidersFor(tx, input, maxToldOfEmergency) };
  },

  'requests/approve': async function (tx, { accountId, by, id, minutes }) {
    await bumpRightsVersion(tx.db, accountId);
    const request = await findUndecided(tx, { accountId, by, id });
    if (isFault(request)) return request;
    const { role_id, member_id: memberId, agent_id, group_id } = request;
    if (minutes !== undefined && minutes > request.minutes)
      return fault('invalid', {
        field: 'minutes',
        message: `must be at most ${request.minutes}, as was asked`,
      });
    const role = await findRole(tx.db, accountId, role_id);
    const person = await loadActor(tx, accountId, memberId);
    if (!role || !person) return fault('not_found', { field: 'id' });
    if (!isUnchanged(request, role)) return fault('invalid', roleChanged);
    const until = tx.now + (minutes ?? request.minutes) * 60;
    const entry = {
      role_id,
      member_id: memberId,
      department_id: null,
      agent_id,
      group_id,
      until,
      request_id: id,
    };
    const given = await giveWithinRights(tx, { accountId, by, permissions: role.permissions, until }, () =>
      addGrantEntry(tx.db, accountId, entry),
    );
    if (isFault(given)) return given;
    const decided = { state: 'approved', decided_by: by, decide_time: tx.now, until_time: until };
    await updateRequest(tx.db, request, decided);
    await queueRequestEvent(tx, accountId, 'access_approved', id);
    return { memberId, email: person.email, until };
  },

  'requests/deny': async function (tx, { accountId, by, id, decision }) {
    await lockRights(tx.db, accountId);
    const request = await findUndecided(tx, { accountId, by, id });
    if (isFault(request)) return request;
    const person = await loadActor(tx, accountId, request.member_id);
    await updateRequest(tx.db, request, { state: 'denied', decided_by: by, decide_time: tx.now, decision });
    await queueRequestEvent(tx, accountId, 'access_denied', id);
    return { memberId: request.member_id, email: person?.email ?? '' };
  },

  'requests/cancel': async function (tx, { accountId, by, id }) {
    await bumpRightsVersion(tx.db, accountId);
    const [request, actor] = [await findRequest(tx, accountId, id), await loadActor(tx, accountId, by)];
    const isAllowed = actor && (request?.member_id === by || mayTeam(actor, 'team_user_admin'));
    if (!request || !isAllowed) return fault('not_found', { field: 'id' });
    const state = stateOf(request, tx.now);
    if (state !== 'waiting' && state !== 'approved') return fault('invalid', alreadyDecided);
    await tx.db
      .deleteFrom('access_entry')
      .where('account_id', '=', accountId)
      .where('request_id', '=', id)
      .execute();
    await updateRequest(
      tx.db,
      request,
      state === 'waiting'
        ? { state: 'withdrawn', decided_by: by, decide_time: tx.now }
        : { state: 'ended', until_time: tx.now },
    );
    await queueRequestEvent(tx, accountId, state === 'waiting' ? 'access_withdrawn' : 'access_ended', id);
    return { memberId: request.member_id };
  },

  'requests/settings': async function (tx, { accountId, by, maxMinutes, emergency }) {
    await lockRights(tx.db, accountId);
    const before = await requestSettings(tx.db, accountId);
    // Emergency access gives people rights that nobody gave them: only the owner may decide that.
    const isOwner = (await loadActor(tx, accountId, by))?.owner === true;
    if (emergency !== undefined && emergency !== before.emergency && !isOwner)
      return fault('forbidden', {
        field: 'emergency',
        message: 'Only the owner of the account can allow or forbid emergency access.',
      });
    await tx.db
      .updateTable('account')
      .set({
        request_minutes: maxMinutes ?? before.maxMinutes,
        emergency_access: (emergency ?? before.emergency) ? 1 : 0,
      })
      .where('account_id', '=', accountId)
      .execute();
    return {};
  },

  'requests/sweep': sweepRequests,
};
