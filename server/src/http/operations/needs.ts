/** Checks the needs of a row and loads what they name, or returns a fault. All rights of operations are checked here. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { chain, type MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import type { AgentFields, Need } from '@drawbridge/contract/operation';
import type { Agent } from '../../domain/devices/agents.ts';
import {
  agentScope,
  invitationScope,
  mayAgent,
  mayGroup,
  maySupport,
  mayTeam,
  type Actor,
} from '../../domain/people/access.ts';
import { isVisibleTo } from '../../domain/support.ts';
import type { Reads } from '../../store/store.ts';

type Input = Record<string, unknown>;
type Refused = Fault<'forbidden' | 'not_found'>;

/** Returns what the needs grant this caller, in the order of the row. */
export function grantNeeds(
  needs: readonly Need[],
  actor: Actor,
  input: Input,
  store: Reads,
): MaybePromise<unknown[] | Refused> {
  const granted: unknown[] = [];
  const grantNext = (): MaybePromise<unknown[] | Refused> => {
    const need = needs[granted.length];
    if (need === undefined) return granted;
    return chain(grantOne(need, actor, input, store), (each) => {
      if (isFault(each)) return each as Refused;
      granted.push(each);
      return grantNext();
    });
  };
  return grantNext();
}

function grantOne(need: Need, actor: Actor, input: Input, store: Reads): unknown {
  switch (need.on) {
    case 'team':
      return mayTeam(actor, need.permission) ? null : fault('forbidden', lacking(need.permission));
    case 'agent':
      return grantAgent(need, actor, input, store);
    case 'file':
      return grantFile(need, actor, input, store);
    case 'agents':
      return need.by === undefined ? agentScope(actor) : grantAgents(need.by, actor, input, store);
    case 'group':
      return grantGroup(need, actor, input, store);
    case 'groups':
      return mayTeam(actor, 'team_permanent_access') ? 'all' : agentScope(actor);
    case 'invitation':
      return grantInvitation(need, actor, input, store);
    case 'invitations': {
      const scope = invitationScope(actor);
      return scope === 'none' ? fault('forbidden', lacking('quick_support_admin')) : scope;
    }
    case 'visible':
      return null;
    case 'requests':
      return mayTeam(actor, 'team_user_admin') ? 'all' : 'own';
    case 'history':
      return { agents: agentScope(actor, 'agent_sessions'), invitations: invitationScope(actor) };
    case 'session':
      return grantSession(need, actor, input, store);
  }
}

const grantAgent = (
  need: Extract<Need, { on: 'agent' }>,
  actor: Actor,
  input: Input,
  store: Reads,
): MaybePromise<Agent | Refused> =>
  chain(findAgent(need.by, actor, input, store), (agent) => {
    if (!agent) return fault('not_found', { field: deviceField(need.by, input) });
    return mayAgent(actor, need.permission, agent) ? agent : fault('forbidden', lacking(need.permission));
  });

async function grantAgents(by: string, actor: Actor, input: Input, store: Reads): Promise<unknown> {
  const need = { on: 'agent', permission: 'any', by: { id: by } } as const;
  const agent = input[by] === undefined ? undefined : await grantAgent(need, actor, input, store);
  return isFault(agent) ? agent : { agent, scope: agentScope(actor) };
}

async function grantGroup(
  need: Extract<Need, { on: 'group' }>,
  actor: Actor,
  input: Input,
  store: Reads,
): Promise<unknown> {
  const group = await store.groups.find(actor.accountId, input[need.by] as number);
  if (!group) return fault('not_found', { field: need.by });
  return mayGroup(actor, need.permission, group.id) ? group : fault('forbidden', lacking(need.permission));
}

/** The rights on a file are those on its device. */
async function grantFile(
  need: Extract<Need, { on: 'file' }>,
  actor: Actor,
  input: Input,
  store: Reads,
): Promise<unknown> {
  const file = await store.files.find(actor.accountId, input[need.by] as number);
  const agent = file && (await store.agents.find(actor, { id: file.agentId }));
  if (!agent) return fault('not_found', { field: need.by });
  return mayAgent(actor, need.permission, agent) ? file : fault('forbidden', lacking(need.permission));
}

async function grantInvitation(
  need: Extract<Need, { on: 'invitation' }>,
  actor: Actor,
  input: Input,
  store: Reads,
): Promise<unknown> {
  const scope = invitationScope(actor);
  if (scope === 'none') return fault('forbidden', lacking('quick_support_admin'));
  const invitation = await store.invitations.find(actor.accountId, input[need.by] as number);
  if (!invitation || !isVisibleTo(invitation, actor, scope)) return fault('not_found', { field: need.by });
  if (need.permission && !maySupport(actor, need.permission))
    return fault('forbidden', lacking(need.permission));
  return invitation;
}

/** The rights on a session are those on its device, or those on its invitation. */
async function grantSession(
  need: Extract<Need, { on: 'session' }>,
  actor: Actor,
  input: Input,
  store: Reads,
): Promise<unknown> {
  const session = await store.sessions.find(actor.accountId, input[need.by] as number);
  if (!session?.begun) return fault('not_found', { field: need.by });
  if (session.agentId === null) {
    const seen = await grantInvitation(
      { on: 'invitation', by: need.by, ...(need.support && { permission: need.support }) },
      actor,
      { [need.by]: session.invitationId },
      store,
    );
    return isFault(seen) ? seen : session;
  }
  const agent = await store.agents.find(actor, { id: session.agentId });
  if (!agent) return fault('not_found', { field: need.by });
  return mayAgent(actor, need.permission, agent) ? session : fault('forbidden', lacking(need.permission));
}

/** The field that names the device in this request. */
const deviceField = ({ id = '', deviceId = '' }: AgentFields, input: Input): string =>
  input[id] === undefined && deviceId !== '' ? deviceId : id;

const findAgent = (by: AgentFields, actor: Actor, input: Input, store: Reads) => {
  const field = deviceField(by, input);
  const value = input[field] as number;
  return store.agents.find(actor, field === by.id ? { id: value } : { deviceId: value });
};

const lacking = (permission: string) => ({
  message:
    permission === 'any'
      ? 'You have no permission on this device.'
      : `This needs the permission ${permission}.`,
});
