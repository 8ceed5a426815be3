/** Permanent access: devices. One function per row of contract/src/v1/agents.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { Hardware } from '@drawbridge/contract/hardware';
import { chain, type MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import type { agents as table } from '@drawbridge/contract/v1/agents';
import { macsOf, wakersOf, type Agent } from '../domain/devices/agents.ts';
import {
  isReservedPath,
  linkLifetime,
  passwordProblem,
  type PermanentLinkUpdate,
} from '../domain/sessions/links.ts';
import { isDisabled } from '../domain/people/plan.ts';
import { renderAgentList } from './agent-list.ts';
import { createAgentWriter } from './agent-view.ts';
import type { CallerContext, Handlers, HandlerContext } from './handler.ts';
import { commandFault } from './command-faults.ts';

export const agentHandlers: Handlers<typeof table> = {
  'agents/list': async ({ input, granted: [scope], ...caller }, context) => {
    const { search, group_id, offset, limit } = input;
    const groupId = group_id ? Number(group_id) : undefined;
    const found = await context.store.agents.list(caller.actor, {
      scope,
      search,
      groupId,
      ...(offset !== undefined && { offset }),
      ...(limit !== undefined && { limit }),
    });
    const { items, validUntil } = await renderAgentList(found, caller, context);
    return { rendered: { data: { items } }, validUntil };
  },

  'agents/info': (request, context) =>
    chain(details(request.granted[0], request, context), (data) => ({ rendered: { data } })),

  'agents/update': async ({ granted: [agent], input, change, ...caller }, context) => {
    const permanent = input.permanent_url;
    const refused = permanent && permanentUrlFault(permanent);
    if (refused) return refused;
    const password =
      permanent?.password === undefined
        ? undefined
        : await context.hashPassword(permanent.password, `account ${agent.accountId}`);
    if (isFault(password)) return tooManyPasswords;
    const outcome = await change('agents/update', {
      accountId: agent.accountId,
      by: caller.actor.memberId,
      id: agent.id,
      name: input.name,
      permanent: permanent && { ...permanent, password },
    });
    if (isFault(outcome)) return outcome;
    const changed = await context.store.agents.find(caller.actor, { id: agent.id });
    if (!changed) return fault('not_found');
    if (input.name !== undefined) void context.fleet.command(agent.id, 'settings', { name: input.name });
    return { rendered: { data: await details(changed, caller, context) } };
  },

  'agents/connect': async (
    { actor, plan, granted: [agent], input, change },
    { store, now, random, digestOf, publicUrl },
  ) => {
    if (isDisabled(agent, await store.plan.state(actor.accountId, plan), now()))
      return fault('forbidden', {
        code: 'agent_disabled',
        message: 'The device is blocked: the plan does not cover it.',
      });
    if (!agent.approved)
      return fault('forbidden', {
        code: 'agent_not_approved',
        message: 'The device is waiting for approval.',
      });
    const code = random.token();
    const outcome = await change('links/add', {
      digest: digestOf(code),
      accountId: actor.accountId,
      memberId: actor.memberId,
      origin: 'api',
      agentId: agent.id,
      invitationId: null,
      video: input.video ?? null,
      expireTime: now() + linkLifetime,
      signIn: actor.signIn,
    });
    if (isFault(outcome)) return fault('not_found');
    return { data: { url: `${publicUrl}/c/${code}` } };
  },

  'agents/reboot': async ({ granted: [agent], input }, { fleet }) => {
    const answer = await fleet.command(agent.id, 'reboot', { safe: input.safe });
    return commandFault(answer, 'id') ?? {};
  },

  'agents/wake': async ({ actor, granted: [agent] }, { store, fleet, now, wakeNearby }) => {
    const hardware = JSON.parse(agent.hardware) as Hardware;
    const macs = macsOf(hardware);
    if (macs.length === 0) return noWakePath;
    const { id, geo } = agent;
    const sleeper = { id, publicIp: geo.ip, addresses: hardware.ComputerIP };
    const wakers = wakersOf(sleeper, await store.agents.online(actor.accountId, now()));
    const sent = await Promise.all([
      wakeNearby(macs, [geo.ip, ...hardware.ComputerIP]),
      ...wakers.map(async (waker) => !commandFault(await fleet.command(waker.id, 'wake', { macs }), 'id')),
    ]);
    return sent.includes(true) ? {} : noWakePath;
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

const noWakePath = fault('invalid', {
  code: 'no_wake_path',
  field: 'id',
  message:
    'The device cannot be woken: no network adapter of it is known, or neither the server nor a device that is online is in its network.',
});

const details = (agent: Agent, caller: CallerContext, context: HandlerContext): MaybePromise<string> =>
  chain(context.store.plan.state(agent.accountId, caller.plan), (plan) =>
    createAgentWriter(caller, plan, context).single(
      agent,
      context.views.get(agent.id, agent.revision) ?? context.views.put(agent),
      `,"hardware":${agent.hardware}`,
    ),
  );

function permanentUrlFault({ url, password }: PermanentLinkUpdate) {
  const message = password === undefined ? undefined : passwordProblem(password);
  if (message !== undefined) return fault('invalid_password', { field: 'permanent_url.password', message });
  if (url === undefined || !isReservedPath(url)) return undefined;
  return fault('path_taken', {
    field: 'permanent_url.url',
    message: `The path "${url}" is reserved for the service. Choose another one.`,
  });
}

const tooManyPasswords = fault('invalid', {
  code: 'server_busy',
  message: 'Too many passwords of this account are being set at this moment. Try again in a few seconds.',
  retryAfter: 5,
});
