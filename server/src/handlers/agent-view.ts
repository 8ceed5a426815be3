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

/** The parts of a device's view that change only with the device. */
export interface Pieces {
  revision: number;
  identity: string;
  /** What a list that is only to be searched and chosen from shows of it, up to what depends on the moment. */
  brief: string;
  geo: string;
  permanentPath: string | null;
  onetimeAllowed: boolean;
  secret: string;
  system: string;
  installed: string;
  sessions: string;
  onetime: { memberId: number; window: number; code: string };
  preview: { memberId: number; code: string };
  /** The device as it was last put into a list, and for whom and when that holds. */
  listed: { shown: Shown; bytes: Buffer } | undefined;
}

/** Everything a view depends on beside the device itself. */
interface Shown {
  actor: Actor;
  ownerEmail: string;
  window: number;
  groupId: number | null;
  groupName: string;
  disabled: boolean;
  limited: boolean;
  online: boolean;
  lastTime: number;
  favorite: boolean;
}

/** How many devices are kept at hand. */
const keptDevices = 100_000;

/** The unchanging parts of devices, kept at hand. */
export interface AgentViews {
  /** The parts as of this revision or a later one, if they are at hand. */
  of(id: number, revision: number): Pieces | undefined;
  keep(agent: AgentSummary): Pieces;
}

export function createAgentViews(): AgentViews {
  const kept = new Map<number, Pieces>();
  return {
    of(id, revision) {
      const pieces = kept.get(id);
      return pieces && pieces.revision >= revision ? pieces : undefined;
    },
    keep(agent) {
      const pieces = write(agent);
      if (kept.size >= keptDevices) kept.clear();
      kept.set(agent.id, pieces);
      return pieces;
    },
  };
}

const json = JSON.stringify;
const noSessions = json({ total: 0 });

function write(agent: AgentSummary): Pieces {
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
  alone(agent: ListedAgent, pieces: Pieces, more: string): string;
  /** With a comma before it. What is shown again as it was is not written again. */
  listed(agent: ListedAgent, pieces: Pieces): Buffer;
}

export function agentWriter(
  { actor, ownerEmail }: CallerContext,
  plan: PlanState,
  context: ViewDeps,
): AgentWriter {
  const moment = context.now();
  const window = windowOf(moment);
  const links = linkWriter(actor, window, context);
  const maySessions = permissionIndex(actor, 'agent_sessions');
  const owner = `,"owner":${json(ownerEmail)},"sessions":`;

  const shownOf = (agent: ListedAgent): Shown => ({
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
  const text = (agent: ListedAgent, pieces: Pieces, shown: Shown): string =>
    pieces.identity +
    json(shown.groupName) +
    `,"disabled":${shown.disabled},"limited":${shown.limited}` +
    `,"link_time":${agent.linkTime},"last_time":${shown.lastTime}` +
    pieces.geo +
    links(agent, pieces) +
    pieces.system +
    shown.online +
    pieces.installed +
    shown.favorite +
    owner +
    (maySessions(agent) ? pieces.sessions : noSessions);

  return {
    alone: (agent, pieces, more) => text(agent, pieces, shownOf(agent)) + more + '}',
    listed(agent, pieces) {
      const shown = shownOf(agent);
      if (!pieces.listed || !isSame(pieces.listed.shown, shown))
        pieces.listed = { shown, bytes: Buffer.from(`,${text(agent, pieces, shown)}}`) };
      return pieces.listed.bytes;
    },
  };
}

const isSame = (one: Shown, other: Shown): boolean =>
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
function linkWriter(actor: Actor, window: number, { publicUrl, hmacOf }: ViewDeps) {
  const mayConnect = permissionIndex(actor, 'agent_connect');
  const preview = previewWriter(actor, { publicUrl, hmacOf });

  const { memberId } = actor;
  const onetimeCode = (pieces: Pieces): string => {
    if (pieces.onetime.window !== window || pieces.onetime.memberId !== memberId)
      pieces.onetime = {
        memberId,
        window,
        code: hmacOf(pieces.secret, onetimeLinkPayload(memberId, window)),
      };
    return pieces.onetime.code;
  };
  return (agent: AgentRef, pieces: Pieces): string => {
    let text = '';
    if (mayConnect(agent) && pieces.permanentPath !== null)
      text += `,"permanent_url":"${publicUrl}/p/${pieces.permanentPath}"`;
    if (mayConnect(agent) && pieces.onetimeAllowed)
      text += `,"onetime_url":"${publicUrl}/t/${agent.id}.${memberId}.${onetimeCode(pieces)}"`;
    return `${text},"preview_url":"${preview(agent, pieces)}"`;
  };
}

/** The address of the picture of a screen, for one person; empty for who may not see it. */
export function previewWriter(actor: Actor, { publicUrl, hmacOf }: Pick<ViewDeps, 'publicUrl' | 'hmacOf'>) {
  const { memberId } = actor;
  const mayPreview = permissionIndex(actor, 'agent_preview');
  const codeOf = (pieces: Pieces): string => {
    if (pieces.preview.memberId !== memberId)
      pieces.preview = { memberId, code: hmacOf(pieces.secret, `preview:${memberId}`) };
    return pieces.preview.code;
  };
  return (agent: AgentRef, pieces: Pieces): string =>
    mayPreview(agent) ? `${publicUrl}/preview/${agent.id}.${memberId}.${codeOf(pieces)}` : '';
}
