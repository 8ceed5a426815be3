/** Which changes of an account somebody may be notified of: changes and rights in, events out. Pure. */
import type { PanelEvent, Topic } from '@drawbridge/contract/panel/events';
import type { TeamPermission } from '@drawbridge/contract/permissions';
import {
  agentScope,
  invitationScope,
  mayTeam,
  permissionIndex,
  type Actor,
  type AgentScope,
  type AgentRef,
} from '../../domain/people/access.ts';

/** What changed in an account within one batch, with everything needed to decide who may be notified, then or later. */
export interface AccountChanges {
  /** Devices with the groups they were in before and are in now. */
  agents: ReadonlyMap<number, readonly AgentRef[]>;
  anyAgent: boolean;
  /** Devices that changed for one person only, by person. */
  favorites: ReadonlyMap<number, readonly number[]>;
  /** Groups that changed, with the devices in them. */
  groups: ReadonlyMap<number, readonly AgentRef[]>;
  /** The old and new groups of moved devices: for some people a group appears or disappears with them. */
  moves: readonly AgentRef[];
  /** Invitations with their creators. */
  invitations: ReadonlyMap<number, number | null>;
  sessions: ReadonlyMap<number, { agent: AgentRef | null; invitedBy: number | null }>;
  anySession: boolean;
  /** Topics of the team, with the permissions of which one is needed. */
  team: ReadonlyMap<'team' | 'account', ReadonlySet<TeamPermission>>;
  /** The owners of changed keys; undefined stands for anyone. */
  keys: ReadonlySet<number | undefined>;
  /** The people whose notifications or subscriptions changed. */
  notifications: ReadonlySet<number>;
  /** The devices on which something waits, or no longer waits, for a second person. */
  approvals: readonly AgentRef[];
  /** The server administrators of the account, if something about the server changed. */
  server: ReadonlySet<number>;
  me: { all: boolean; members: ReadonlySet<number>; sessions: ReadonlySet<number> };
}

/** What somebody may see, computed once for as long as their rights stay the same. */
export interface Visibility {
  actor: Actor;
  sees(agentRef: AgentRef): boolean;
  seesAnyAgent: boolean;
  seesSessionsOf(agentRef: AgentRef): boolean;
  seesAnySession: boolean;
  invitations: ReturnType<typeof invitationScope>;
  seesAllGroups: boolean;
}

const isNotEmpty = (scope: AgentScope): boolean =>
  scope === 'all' || scope.agentIds.length + scope.groupIds.length > 0;

export function visibilityOf(actor: Actor): Visibility {
  const invitations = invitationScope(actor);
  return {
    actor,
    sees: permissionIndex(actor),
    seesAnyAgent: isNotEmpty(agentScope(actor)),
    seesSessionsOf: permissionIndex(actor, 'agent_sessions'),
    seesAnySession: isNotEmpty(agentScope(actor, 'agent_sessions')) || invitations !== 'none',
    invitations,
    seesAllGroups: mayTeam(actor, 'team_permanent_access'),
  };
}

/** Beyond this number no ids are named, and pages fetch everything again. */
export const maxEventIds = 200;

const toEvents = (topic: Topic, ids: readonly number[] | 'any'): PanelEvent[] => {
  if (ids === 'any' || ids.length > maxEventIds) return [{ topic }];
  return ids.length === 0 ? [] : [{ topic, ids: [...ids] }];
};
const toEventWithoutIds = (topic: Topic, isVisible: boolean): PanelEvent[] => (isVisible ? [{ topic }] : []);

const idsOf = <T>(map: ReadonlyMap<number, T>, isSeen: (of: T) => boolean): number[] =>
  [...map].filter(([, of]) => isSeen(of)).map(([id]) => id);

/** The events of one subscriber, at most one per topic. */
export function eventsFor(changes: AccountChanges, visibility: Visibility, sessionId: number): PanelEvent[] {
  const { actor, sees } = visibility;
  const { memberId } = actor;
  const isOwn = (by: number | null): boolean =>
    visibility.invitations === 'all' || (visibility.invitations === 'own' && by === memberId);
  const agents = new Set(idsOf(changes.agents, (refs) => actor.owner || refs.some(sees)));
  for (const id of changes.favorites.get(memberId) ?? []) agents.add(id);
  const { all, members, sessions } = changes.me;

  return [
    ...toEvents('agents', changes.anyAgent && visibility.seesAnyAgent ? 'any' : [...agents]),
    ...toEventWithoutIds('groups', seesGroupChange(changes, visibility)),
    ...toEvents('support', idsOf(changes.invitations, isOwn)),
    ...toEvents(
      'sessions',
      changes.anySession && visibility.seesAnySession
        ? 'any'
        : idsOf(changes.sessions, ({ agent, invitedBy }) =>
            agent ? visibility.seesSessionsOf(agent) : isOwn(invitedBy),
          ),
    ),
    ...[...changes.team].flatMap(([topic, rights]) =>
      toEventWithoutIds(
        topic,
        [...rights].some((right) => mayTeam(actor, right)),
      ),
    ),
    ...toEventWithoutIds('keys', seesKeyChange(changes, actor)),
    ...toEventWithoutIds(
      'notifications',
      changes.notifications.has(memberId) || changes.approvals.some((agent) => actor.owner || sees(agent)),
    ),
    ...toEventWithoutIds('server', changes.server.has(memberId)),
    ...toEventWithoutIds('me', all || members.has(memberId) || sessions.has(sessionId)),
  ];
}

const seesGroupChange = ({ groups, moves }: AccountChanges, { seesAllGroups, sees }: Visibility): boolean =>
  seesAllGroups
    ? groups.size > 0
    : moves.some(sees) || [...groups.values()].some((devices) => devices.some(sees));

/** The owner sees everyone's keys, others only their own. */
const seesKeyChange = ({ keys }: AccountChanges, actor: Actor): boolean =>
  keys.size > 0 &&
  mayTeam(actor, 'team_api_key') &&
  (actor.owner || keys.has(undefined) || keys.has(actor.memberId));

/** When rights change, everything that depends on rights may look different. */
export const rightsChangedEvents: readonly PanelEvent[] = (
  ['me', 'agents', 'groups', 'support', 'sessions', 'notifications'] as const
).map((topic) => ({ topic }));
