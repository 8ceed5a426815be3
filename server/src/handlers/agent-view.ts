/**
 * Writes a device as JSON text for the API. The parts that depend only on the device are cached until it changes; the
 * parts that depend on the time or the caller are inserted for each response.
 */
import { permissionIndex, type Actor, type AgentRef } from '../domain/people/access.ts';
import { isOnline, type AgentSummary } from '../domain/devices/agents.ts';
import { onetimeLinkPayload, windowEnds, windowOf } from '../domain/sessions/links.ts';
import { blockTimeOf, isDisabled, isLimited, type PlanState } from '../domain/people/plan.ts';
import type { ListedAgent } from '../store/store.ts';
import type { CallerContext, HandlerContext } from './handler.ts';
import type { RenderedItem } from './rendered-item.ts';
import type { AgentFragments, AgentViewCache, ViewState } from './agent-view-cache.ts';

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
    onetimeOwn: agent.policies.device.onetime_url,
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

/** Writes devices for one caller at one time. */
export interface AgentWriter {
  /** A single device; `more` is the text of further fields. */
  single(agent: ListedAgent, fragments: AgentFragments, more: string): string;
  /** An entry of a list. An entry that has not changed is not written again and keeps its number. */
  listed(agent: ListedAgent, fragments: AgentFragments): RenderedItem;
  /** When time alone changes an entry of the list: a window of one-time links or a lease ends, or a device becomes blocked. */
  validUntil(): number;
}

/** What all devices of one response share. */
interface WriterState {
  actor: Actor;
  ownerEmail: string;
  plan: PlanState;
  time: number;
  window: number;
  writeLinks: ReturnType<typeof createLinkWriter>;
  maySessions: ReturnType<typeof permissionIndex>;
  /** The text with the owner, up to the sessions. */
  owner: string;
  /** The earliest time that changes an entry written so far. */
  validUntil: number;
}

export function createAgentWriter(
  { actor, ownerEmail }: CallerContext,
  plan: PlanState,
  context: ViewDeps,
): AgentWriter {
  const time = context.now();
  const window = windowOf(time);
  const writer: WriterState = {
    actor,
    ownerEmail,
    plan,
    time,
    window,
    writeLinks: createLinkWriter(actor, window, context),
    maySessions: permissionIndex(actor, 'agent_sessions'),
    owner: `,"owner":${json(ownerEmail)},"sessions":`,
    validUntil: windowEnds(time),
  };
  return {
    single: (agent, fragments, more) =>
      writeAgent(writer, agent, fragments, stateOf(writer, agent)) + more + '}',
    listed: (agent, fragments) => writeListed(writer, agent, fragments),
    validUntil: () => writer.validUntil,
  };
}

/** The number of the text of a device that was written last, in any list. */
let lastNumber = 0;

function writeListed(writer: WriterState, agent: ListedAgent, fragments: AgentFragments): RenderedItem {
  if (!fragments.listed || !isStateOf(writer, agent, fragments.listed.state)) {
    const state = stateOf(writer, agent);
    const bytes = Buffer.from(`,${writeAgent(writer, agent, fragments, state)}}`);
    fragments.listed = { state, bytes, number: ++lastNumber };
  }
  const { online, limited, disabled } = fragments.listed.state;
  if (online && agent.leaseUntil < writer.validUntil) writer.validUntil = agent.leaseUntil;
  if (limited && !disabled) writer.validUntil = Math.min(writer.validUntil, blockTimeOf(agent));
  return fragments.listed;
}

/** Returns the JSON text of a device without its closing brace. */
const writeAgent = (
  { writeLinks, owner, maySessions }: WriterState,
  agent: ListedAgent,
  fragments: AgentFragments,
  state: ViewState,
): string =>
  fragments.identity +
  json(state.groupName) +
  `,"disabled":${state.disabled},"limited":${state.limited}` +
  `,"link_time":${agent.linkTime},"last_time":${state.lastTime}` +
  fragments.geo +
  writeLinks(agent, fragments) +
  fragments.system +
  state.online +
  fragments.installed +
  state.favorite +
  owner +
  (maySessions(agent) ? fragments.sessions : noSessions);

const stateOf = ({ actor, ownerEmail, plan, time, window }: WriterState, agent: ListedAgent): ViewState => ({
  actor,
  ownerEmail,
  window,
  groupId: agent.groupId,
  groupName: agent.groupName,
  disabled: isDisabled(agent, plan, time),
  limited: isLimited(agent, plan),
  online: isOnline(agent, time),
  lastTime: agent.lastTime,
  favorite: agent.favorite,
  onetimeInherited: agent.onetimeInherited,
});

/** The same as comparing with `stateOf`, without making an object for each device of a long list. */
const isStateOf = (
  { actor, ownerEmail, plan, time, window }: WriterState,
  agent: ListedAgent,
  state: ViewState,
): boolean =>
  state.actor === actor &&
  state.ownerEmail === ownerEmail &&
  state.window === window &&
  state.groupId === agent.groupId &&
  state.groupName === agent.groupName &&
  state.disabled === isDisabled(agent, plan, time) &&
  state.limited === isLimited(agent, plan) &&
  state.online === isOnline(agent, time) &&
  state.lastTime === agent.lastTime &&
  state.favorite === agent.favorite &&
  state.onetimeInherited === agent.onetimeInherited;

const isOnetimeAllowed = (agent: ListedAgent, { onetimeOwn }: AgentFragments): boolean =>
  (onetimeOwn ?? agent.onetimeInherited) === 'allow';

/** Writes the URLs of a device that the caller may use. */
function createLinkWriter(actor: Actor, window: number, { publicUrl, hmacOf }: ViewDeps) {
  const mayConnect = permissionIndex(actor, 'agent_connect');
  const previewUrl = createPreviewUrlWriter(actor, { publicUrl, hmacOf });

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
  return (agent: ListedAgent, fragments: AgentFragments): string => {
    let text = '';
    if (mayConnect(agent) && fragments.permanentPath !== null)
      text += `,"permanent_url":"${publicUrl}/p/${fragments.permanentPath}"`;
    if (mayConnect(agent) && isOnetimeAllowed(agent, fragments))
      text += `,"onetime_url":"${publicUrl}/t/${agent.id}.${memberId}.${onetimeCode(fragments)}"`;
    return `${text},"preview_url":"${previewUrl(agent, fragments)}"`;
  };
}

/** Writes the URL of a device's preview for one person; it is empty if they may not see it. */
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
