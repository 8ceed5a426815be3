/**
 * A device as the API shows it, written as JSON text. What depends on the device alone is written once and kept until
 * the device changes; what depends on the moment or on the caller is put between when a reply is made.
 */
import type { AgentPermission } from '@drawbridge/contract/permissions';
import { permissionIndex, type Actor, type Place } from '../domain/access.ts';
import { isOnline, type Agent } from '../domain/agents.ts';
import { windowOf } from '../domain/links.ts';
import { isDisabled, isLimited, type PlanState } from '../domain/plan.ts';
import type { ListedAgent } from '../store/store.ts';
import type { House } from './handler.ts';

/** The parts of a device's view that change only with the device. */
export interface Pieces {
  revision: number;
  identity: string;
  geo: string;
  permanentPath: string | null;
  onetimeAllowed: boolean;
  secret: string;
  system: string;
  installed: string;
  sessions: string;
  onetime: { window: number; code: string };
}

/** How many devices are kept at hand. */
const keptDevices = 100_000;

/** The unchanging parts of devices, kept at hand. */
export interface AgentViews {
  /** The parts as of this revision or a later one, if they are at hand. */
  of(id: number, revision: number): Pieces | undefined;
  keep(agent: Agent): Pieces;
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

function write(agent: Agent): Pieces {
  return {
    revision: agent.revision,
    identity: `{"id":${agent.id},"device_id":${agent.deviceId},"name":${json(agent.name)},"group":`,
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
    onetime: { window: -1, code: '' },
  };
}

const lastSession = (last: NonNullable<Agent['lastSession']>) => ({
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

type Lent = Pick<House, 'now' | 'publicUrl' | 'sealOf'>;

/** Writes devices for one caller at one moment. */
export function agentWriter(actor: Actor, ownerEmail: string, plan: PlanState, house: Lent) {
  const { publicUrl, sealOf } = house;
  const [moment, window] = [house.now(), windowOf(house.now())];
  const may = (permission: AgentPermission) => permissionIndex(actor, permission);
  const [mayConnect, mayPreview, maySessions] = [
    may('agent_connect'),
    may('agent_preview'),
    may('agent_sessions'),
  ];
  const owner = `,"owner":${json(ownerEmail)},"sessions":`;

  const onetimeCode = (pieces: Pieces): string => {
    if (pieces.onetime.window !== window)
      pieces.onetime = { window, code: sealOf(pieces.secret, `onetime:${window}`) };
    return pieces.onetime.code;
  };
  const links = (agent: ListedAgent, place: Place, pieces: Pieces): string => {
    let text = '';
    if (mayConnect(place) && pieces.permanentPath !== null)
      text += `,"permanent_url":"${publicUrl}/p/${pieces.permanentPath}"`;
    if (mayConnect(place) && pieces.onetimeAllowed)
      text += `,"onetime_url":"${publicUrl}/t/${agent.id}.${onetimeCode(pieces)}"`;
    return text + `,"preview_url":"${mayPreview(place) ? previewUrl(agent.id, pieces.secret) : ''}"`;
  };
  const previewUrl = (id: number, secret: string): string =>
    `${publicUrl}/preview/${id}.${actor.memberId}.${sealOf(secret, `preview:${actor.memberId}`)}`;

  return (agent: ListedAgent, pieces: Pieces, more = ''): string =>
    pieces.identity +
    json(agent.groupName) +
    `,"disabled":${isDisabled(agent, plan, moment)},"limited":${isLimited(agent, plan)}` +
    `,"link_time":${agent.linkTime},"last_time":${isOnline(agent, moment) ? moment : agent.lastTime}` +
    pieces.geo +
    links(agent, agent, pieces) +
    pieces.system +
    isOnline(agent, moment) +
    pieces.installed +
    agent.favorite +
    owner +
    (maySessions(agent) ? pieces.sessions : noSessions) +
    more +
    '}';
}
