/** Permanent access: devices. One function per row of contract/v1/agents.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { Hardware } from '@drawbridge/contract/hardware';
import type { agents as table } from '@drawbridge/contract/v1/agents';
import type { Actor } from '../domain/access.ts';
import { macsOf, wakersOf, type Agent } from '../domain/agents.ts';
import { isReservedPath, isStrongPassword, linkLifetime } from '../domain/links.ts';
import { isDisabled } from '../domain/plan.ts';
import { listAgents } from './agent-list.ts';
import { agentWriter } from './agent-view.ts';
import type { Handlers, House } from './handler.ts';

export const agents: Handlers<typeof table> = {
  'agents/list': async ({ actor, ownerEmail, input, granted: [scope] }, house) => {
    const { search, group_id, offset, limit } = input;
    const groupId = group_id === undefined ? undefined : Number(group_id);
    const found = await house.store.agents.list(actor, {
      scope,
      search,
      groupId,
      ...(offset !== undefined && { offset }),
      ...(limit !== undefined && { limit }),
    });
    return { rendered: { data: await listAgents(found, actor, ownerEmail, house) } };
  },

  'agents/info': async ({ actor, ownerEmail, granted: [agent] }, house) => ({
    rendered: { data: await details(agent, actor, ownerEmail, house) },
  }),

  'agents/update': async ({ actor, ownerEmail, granted: [agent], input, change }, house) => {
    const permanent = input.permanent_url && permanentLink(agent, input.permanent_url);
    if (isFault(permanent)) return permanent;
    const password =
      permanent?.password === undefined ? undefined : await house.hashPassword(permanent.password);
    const outcome = await change('agents/update', {
      accountId: agent.accountId,
      id: agent.id,
      name: input.name,
      permanent: permanent && { ...permanent, password },
    });
    if (isFault(outcome)) return outcome;
    const changed = await house.store.agents.find(actor, { id: agent.id });
    if (!changed) return fault('not_found');
    if (input.name !== undefined) void house.fleet.command(agent.id, 'settings', { name: input.name });
    return { rendered: { data: await details(changed, actor, ownerEmail, house) } };
  },

  'agents/connect': async (
    { actor, granted: [agent], input, change },
    { store, now, chance, digestOf, publicUrl },
  ) => {
    if (isDisabled(agent, await store.plan.state(actor.accountId), now()))
      return fault('forbidden', {
        code: 'agent_disabled',
        message: 'The device is blocked: the plan does not cover it.',
      });
    const code = chance.token();
    await change('links/add', {
      digest: digestOf(code),
      accountId: actor.accountId,
      memberId: actor.memberId,
      agentId: agent.id,
      invitationId: null,
      video: input.video ?? null,
      expireTime: now() + linkLifetime,
    });
    return { data: { url: `${publicUrl}/c/${code}` } };
  },

  'agents/reboot': async ({ granted: [agent], input }, { fleet }) => {
    const answer = await fleet.command(agent.id, 'reboot', { safe: input.safe });
    if (answer === 'offline') return offline;
    return 'refused' in answer ? fault('invalid', { code: 'agent_refused', message: answer.refused }) : {};
  },

  'agents/wake': async ({ actor, granted: [agent] }, { store, fleet, now }) => {
    const macs = macsOf(JSON.parse(agent.hardware) as Hardware);
    const sleeper = {
      id: agent.id,
      publicIp: agent.geo.ip,
      addresses: (JSON.parse(agent.hardware) as Hardware).ComputerIP,
    };
    const wakers =
      macs.length > 0 ? wakersOf(sleeper, await store.agents.online(actor.accountId, now())) : [];
    const answers = await Promise.all(wakers.map((waker) => fleet.command(waker.id, 'wake', { macs })));
    return answers.some((answer) => answer !== 'offline' && 'done' in answer) ? {} : noWakePath;
  },

  'agents/logout': async ({ granted: [agent], change }, { fleet }) => {
    const outcome = await change('agents/remove', { accountId: agent.accountId, id: agent.id });
    if (!isFault(outcome)) void fleet.command(agent.id, 'logout', {});
    return outcome;
  },

  'agents/merge': async ({ actor, granted: [source, target], change }, { fleet }) => {
    if (source.id === target.id)
      return fault('invalid', { field: 'target_agent_id', message: 'The two devices must not be the same.' });
    const { accountId, memberId: by } = actor;
    const outcome = await change('agents/merge', { accountId, by, sourceId: source.id, targetId: target.id });
    if (!isFault(outcome)) void fleet.command(source.id, 'logout', {});
    return outcome;
  },
};

const offline = fault('invalid', { code: 'agent_offline', field: 'id', message: 'The device is offline.' });
const noWakePath = fault('invalid', {
  code: 'no_wake_path',
  field: 'id',
  message: 'No device that is online shares a network with this one, or no network adapter of it is known.',
});

async function details(agent: Agent, actor: Actor, ownerEmail: string, house: House): Promise<string> {
  const write = agentWriter(actor, ownerEmail, await house.store.plan.state(actor.accountId), house);
  return write(
    agent,
    house.views.of(agent.id, agent.revision) ?? house.views.keep(agent),
    `,"hardware":${agent.hardware}`,
  );
}

interface LinkWish {
  enable?: boolean | undefined;
  url?: string | undefined;
  password?: string | undefined;
}

/** What the permanent link of the device is to be, or why it can not. */
function permanentLink(agent: Agent, wish: LinkWish) {
  if (wish.password !== undefined && !isStrongPassword(wish.password)) return weakPassword;
  const enabled = wish.enable ?? agent.permanentEnabled;
  if (enabled && wish.password === undefined && agent.permanentPassword === null)
    return fault('invalid_password', {
      field: 'permanent_url.password',
      message: 'The link needs a password before it can be opened.',
    });
  if (wish.url !== undefined && isReservedPath(wish.url))
    return fault('path_taken', { field: 'permanent_url.url' });
  const path = wish.url ?? agent.permanentPath ?? (enabled ? String(agent.deviceId) : null);
  return { enabled, path, password: wish.password };
}

const weakPassword = fault('invalid_password', { field: 'permanent_url.password' });
