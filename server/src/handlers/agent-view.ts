/**
 * A device as the API shows it, written as JSON text. What depends on the device alone is written once and kept until
 * the device changes; what depends on the moment or on the caller is put between when a reply is made.
 */
import { permissionIndex, type Actor, type AgentRef } from '../domain/access.ts';
import { isOnline, type AgentSummary } from '../domain/agents.ts';
import { onetimeLinkPayload, windowOf } from '../domain/links.ts';
import { isDisabled, isLimited, type PlanState } from '../domain/plan.ts';
import type { ListedAgent } from '../store/store.ts';
import type { CallerContext, HandlerContext } from './handler.ts';
import type { AgentFragments, AgentViewCache, ViewState } from './agent-view-cache.ts';

/** How many devices are kept at hand. */
const maxCachedAgents = 100_000;

export function createAgentViewCache(): AgentViewCache {
  const cache = new Map<number, AgentFragments>();
  return {
    get(id, revision) {
      const fragments = cache.get(id);
      return fragments && fragments.revision >= revision ? fragments : undefined;
    },
    put(agent) {
      const fragments = writeFragments(agent);
      if (cache.size >= maxCachedAgents) cache.clear();
      cache.set(agent.id, fragments);
      return fragments;
    },
  };
}

const json = JSON.stringify;
const noSessions = json({ total: 0 });

function writeFragments(agent: AgentSummary): AgentFragments {
  return {
    revision: agent.revision,
    identity: `{"id":${agent.id},"device_id":${agent.deviceId},"name":${json(agent.name)},"group":`,
    brief: [
      `{"id":${agent.id},"device_id":${agent.deviceId},"name":${json(agent.name)},"os":${json(agent.os)}`,
      `,"os_user":${json(agent.osUser)},"ip":${json(agent.geo.ip)},"country":${json(agent.geo.country)}`,
      `,"version":${json(agent.version)},"group_id":`,
    ].join(''),
    geo: `,"geo":${json(agent.geo)}`,
    permanentPath: agent.permanentEnabled ? agent.permanentPath : null,
    onetimeAllowed: agent.onetimeAllowed,
    secret: agent.secret,
    system: [
      `,"os":${json(agent.os)},"os_user":${json(agent.osUser)},"rdp":${agent.rdp},"hibernate":${agent.hibernate}`,
      `,"power_supply":${agent.powerSupply},"version":${json(agent.version)},"online":`,
    ].join(''),
    installed: `,"installed":${agent.installed},"favorite":`,
    sessions: json({
      ...(agent.lastSession && { last: lastSession(agent.lastSession) }),
      total: agent.sessionsTotal,
    }),
    onetime: { memberId: 0, window: -1, code: '' },
    preview: { memberId: 0, code: '' },
    listed: undefined,
  };
}

const lastSession = (last: NonNullable<AgentSummary['lastSession']>) => ({
  id: last.id,
  start_time: last.startTime,
  ...(last.stopTime !== null && { stop_time: last.stopTime }),
  client: {
    ip: last.client.ip,
    country: last.client.country,
    region: last.client.region,
    city: last.client.city,
    user_agent: last.client.userAgent,
  },
});

type ViewDeps = Pick<HandlerContext, 'now' | 'publicUrl' | 'hmacOf'>;

/** Writes devices for one caller at one moment: one alone with more of it, or many for a list. */
export interface AgentWriter {
  single(agent: ListedAgent, fragments: AgentFragments, more: string): string;
  /** With a comma before it. What is shown again as it was is not written again. */
  listed(agent: ListedAgent, fragments: AgentFragments): Buffer;
}

export function createAgentWriter(
  { actor, ownerEmail }: CallerContext,
  plan: PlanState,
  context: ViewDeps,
): AgentWriter {
  const moment = context.now();
  const window = windowOf(moment);
  const links = createLinkWriter(actor, window, context);
  const maySessions = permissionIndex(actor, 'agent_sessions');
  const owner = `,"owner":${json(ownerEmail)},"sessions":`;

  const stateOf = (agent: ListedAgent): ViewState => ({
    actor,
    ownerEmail,
    window,
    groupId: agent.groupId,
    groupName: agent.groupName,
    disabled: isDisabled(agent, plan, moment),
    limited: isLimited(agent, plan),
    online: isOnline(agent, moment),
    lastTime: agent.lastTime,
    favorite: agent.favorite,
  });
  const text = (agent: ListedAgent, fragments: AgentFragments, state: ViewState): string =>
    fragments.identity +
    json(state.groupName) +
    `,"disabled":${state.disabled},"limited":${state.limited}` +
    `,"link_time":${agent.linkTime},"last_time":${state.lastTime}` +
    fragments.geo +
    links(agent, fragments) +
    fragments.system +
    state.online +
    fragments.installed +
    state.favorite +
    owner +
    (maySessions(agent) ? fragments.sessions : noSessions);

  return {
    single: (agent, fragments, more) => text(agent, fragments, stateOf(agent)) + more + '}',
    listed(agent, fragments) {
      const state = stateOf(agent);
      if (!fragments.listed || !isSameState(fragments.listed.state, state))
        fragments.listed = { state, bytes: Buffer.from(`,${text(agent, fragments, state)}}`) };
      return fragments.listed.bytes;
    },
  };
}

const isSameState = (one: ViewState, other: ViewState): boolean =>
  one.actor === other.actor &&
  one.ownerEmail === other.ownerEmail &&
  one.window === other.window &&
  one.groupId === other.groupId &&
  one.groupName === other.groupName &&
  one.disabled === other.disabled &&
  one.limited === other.limited &&
  one.online === other.online &&
  one.lastTime === other.lastTime &&
  one.favorite === other.favorite;

/** The addresses of a device that a caller is shown, as far as they may use them. */
function createLinkWriter(actor: Actor, window: number, { publicUrl, hmacOf }: ViewDeps) {
  const mayConnect = permissionIndex(actor, 'agent_connect');
  const preview = createPreviewUrlWriter(actor, { publicUrl, hmacOf });

  const { memberId } = actor;
  const onetimeCode = (fragments: AgentFragments): string => {
    if (fragments.onetime.window !== window || fragments.onetime.memberId !== memberId)
      fragments.onetime = {
        memberId,
        window,
        code: hmacOf(fragments.secret, onetimeLinkPayload(memberId, window)),
      };
    return fragments.onetime.code;
  };
  return (agent: AgentRef, fragments: AgentFragments): string => {
    let text = '';
    if (mayConnect(agent) && fragments.permanentPath !== null)
      text += `,"permanent_url":"${publicUrl}/p/${fragments.permanentPath}"`;
    if (mayConnect(agent) && fragments.onetimeAllowed)
      text += `,"onetime_url":"${publicUrl}/t/${agent.id}.${memberId}.${onetimeCode(fragments)}"`;
    return `${text},"preview_url":"${preview(agent, fragments)}"`;
  };
}

/** The address of the picture of a screen, for one person; empty for who may not see it. */
export function createPreviewUrlWriter(
  actor: Actor,
  { publicUrl, hmacOf }: Pick<ViewDeps, 'publicUrl' | 'hmacOf'>,
) {
  const { memberId } = actor;
  const mayPreview = permissionIndex(actor, 'agent_preview');
  const codeOf = (fragments: AgentFragments): string => {
    if (fragments.preview.memberId !== memberId)
      fragments.preview = { memberId, code: hmacOf(fragments.secret, `preview:${memberId}`) };
    return fragments.preview.code;
  };
  return (agent: AgentRef, fragments: AgentFragments): string =>
    mayPreview(agent) ? `${publicUrl}/preview/${agent.id}.${memberId}.${codeOf(fragments)}` : '';
}
