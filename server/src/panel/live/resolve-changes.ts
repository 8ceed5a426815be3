/** Turns hints into account changes: looks up, once for all subscribers, what is needed to decide who is notified. */
import type { AgentRef } from '../../domain/people/access.ts';
import type { Reads } from '../../store/store.ts';
import type { Hint } from './hint.ts';
import type { AccountChanges } from './account-changes.ts';

/** The group of every device of an account as last seen: the only record of where a device was before. */
export type DeviceGroups = Map<number, number | null>;

export async function loadDeviceGroups(store: Reads, accountId: number): Promise<DeviceGroups> {
  const found = await store.visibility.agentRefs(accountId);
  return new Map(found.map(({ id, groupId }) => [id, groupId]));
}

const hintsOfTopic = <T extends Hint['topic']>(hints: readonly Hint[], topic: T) =>
  hints.filter((hint): hint is Extract<Hint, { topic: T }> => hint.topic === topic);

/** Also updates the groups of devices. */
export async function resolveChanges(
  hints: readonly Hint[],
  { store, accountId, deviceGroups }: { store: Reads; accountId: number; deviceGroups: DeviceGroups },
): Promise<AccountChanges> {
  const agents = hintsOfTopic(hints, 'agents');
  const shared = agents.filter(({ of }) => of === undefined);
  const sessions = hintsOfTopic(hints, 'sessions');
  const groups = devicesInGroups(
    deviceGroups,
    new Set(hintsOfTopic(hints, 'groups').flatMap(({ ids }) => ids)),
  );
  const moved = await resolveMoves(agentIds(shared, deviceGroups), { store, accountId, deviceGroups });
  const resolved = await resolveSessions(sessions, hintsOfTopic(hints, 'support'), { store, accountId });
  const me = hintsOfTopic(hints, 'me');
  const notifications = hintsOfTopic(hints, 'notifications');
  return {
    ...moved,
    anyAgent: shared.some(({ ids, inGroup }) => ids === undefined && inGroup === undefined),
    favorites: favoritesByMember(agents),
    groups,
    ...resolved,
    anySession: sessions.some(({ ids }) => ids === undefined),
    team: rightsByTopic([...hintsOfTopic(hints, 'team'), ...hintsOfTopic(hints, 'account')]),
    keys: new Set(hintsOfTopic(hints, 'keys').map(({ of }) => of)),
    notifications: new Set(notifications.flatMap((hint) => ('of' in hint ? hint.of : []))),
    approvals: notifications.flatMap((hint) =>
      'of' in hint ? [] : { id: hint.onAgent, groupId: deviceGroups.get(hint.onAgent) ?? null },
    ),
    server: await operatorsIf(hintsOfTopic(hints, 'server').length > 0, store, accountId),
    me: {
      all: me.some(({ of, session }) => of === undefined && session === undefined),
      members: new Set(me.flatMap(({ of }) => of ?? [])),
      sessions: new Set(me.flatMap(({ session }) => session ?? [])),
    },
  };
}

async function operatorsIf(isNeeded: boolean, store: Reads, accountId: number): Promise<Set<number>> {
  const operators = isNeeded ? await store.members.operators() : [];
  return new Set(operators.filter((each) => each.accountId === accountId).map(({ id }) => id));
}

type AgentHint = Extract<Hint, { topic: 'agents' }>;
type ResolveDeps = { store: Reads; accountId: number; deviceGroups: DeviceGroups };

function agentIds(hints: readonly AgentHint[], deviceGroups: DeviceGroups): Set<number> {
  const ids = new Set<number>();
  const groups = new Set<number>();
  for (const hint of hints) {
    for (const id of hint.ids ?? []) ids.add(id);
    if (hint.inGroup !== undefined) groups.add(hint.inGroup);
  }
  if (groups.size > 0)
    for (const [id, groupId] of deviceGroups) if (groupId !== null && groups.has(groupId)) ids.add(id);
  return ids;
}

/** The old and new groups of these devices. */
async function resolveMoves(
  ids: ReadonlySet<number>,
  { store, accountId, deviceGroups }: ResolveDeps,
): Promise<Pick<AccountChanges, 'agents' | 'moves'>> {
  const agents = new Map<number, AgentRef[]>();
  const moves: AgentRef[] = [];
  if (ids.size === 0) return { agents, moves };
  const found = await store.visibility.agentRefs(accountId, [...ids]);
  const now = new Map(found.map(({ id, groupId }) => [id, groupId]));
  for (const id of ids) {
    const [before, after] = [deviceGroups.get(id), now.get(id)];
    const groupIds = [...new Set([before, after])].filter((groupId) => groupId !== undefined);
    const both = groupIds.map((groupId): AgentRef => ({ id, groupId }));
    agents.set(id, both);
    if (before !== after) moves.push(...both);
    if (after === undefined) deviceGroups.delete(id);
    else deviceGroups.set(id, after);
  }
  return { agents, moves };
}

/** The devices in each of these groups. */
function devicesInGroups(deviceGroups: DeviceGroups, groups: ReadonlySet<number>): Map<number, AgentRef[]> {
  const found = new Map([...groups].map((id): [number, AgentRef[]] => [id, []]));
  if (groups.size > 0)
    for (const [id, groupId] of deviceGroups) if (groupId !== null) found.get(groupId)?.push({ id, groupId });
  return found;
}

/** Sessions with their targets, and invitations with their creators; a session also changes its invitation. */
async function resolveSessions(
  sessions: readonly { ids?: readonly number[] }[],
  support: readonly { ids: readonly number[] }[],
  { store, accountId }: Pick<ResolveDeps, 'store' | 'accountId'>,
): Promise<Pick<AccountChanges, 'sessions' | 'invitations'>> {
  const sessionIds = sessions.flatMap(({ ids }) => ids ?? []);
  const found = sessionIds.length === 0 ? [] : await store.visibility.sessions(accountId, sessionIds);
  const invitationIds = [
    ...support.flatMap(({ ids }) => ids),
    ...found.flatMap(({ invitationId }) => invitationId ?? []),
  ];
  const known =
    invitationIds.length === 0 ? [] : await store.visibility.invitations(accountId, invitationIds);
  const invitations = new Map(known.map(({ id, memberId }) => [id, memberId]));
  const begun = found.filter((each) => each.begun);
  return {
    invitations,
    sessions: new Map(
      begun.map(({ id, agent, invitationId }) => [
        id,
        { agent, invitedBy: invitationId === null ? null : (invitations.get(invitationId) ?? null) },
      ]),
    ),
  };
}

function favoritesByMember(hints: readonly AgentHint[]): AccountChanges['favorites'] {
  const favorites = hints.filter(({ of }) => of !== undefined);
  return new Map(
    [...Map.groupBy(favorites, ({ of }) => of!)].map(([of, all]) => [
      of,
      all.flatMap(({ ids }) => ids ?? []),
    ]),
  );
}

function rightsByTopic(
  hints: readonly Extract<Hint, { topic: 'team' | 'account' }>[],
): AccountChanges['team'] {
  return new Map(
    [...Map.groupBy(hints, ({ topic }) => topic)].map(([topic, all]) => [
      topic,
      new Set(all.map(({ right }) => right)),
    ]),
  );
}
