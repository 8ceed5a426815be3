/** What can be said of one connection: with what, from where, and what one may do about it. */
import type { Output } from '@drawbridge/contract/operation';
import type { V1 } from '@drawbridge/contract/v1/index';
import { describeBrowser } from '../profile/describe-browser.ts';
import { t } from '../texts/index.ts';

export type HistoryConnection = Output<V1['history/list']>['data'][number];
export type RunningSession = Output<V1['sessions/list']>['data'][number];

const { history: texts } = t;

interface GeoLocation {
  ip: string;
  country: string;
  region: string;
  city: string;
}

/** Like "Bremen, Germany"; a city that has the name of its region is named once. */
export const describeLocation = ({ city, region, country }: GeoLocation): string =>
  [...new Set([city || region, country])].filter((part) => part !== '').join(', ');

/** From where somebody was connected, on one line. */
export const describeOrigin = ({ client: [client] }: Pick<HistoryConnection, 'client'>): string =>
  client ? inOneLine(describeLocation(client.geo), browserOf(client.user_agent), client.geo.ip) : '';

export const describeClient = ({ ip, user_agent }: Pick<RunningSession, 'ip' | 'user_agent'>): string =>
  inOneLine(ip, browserOf(user_agent));

const browserOf = (userAgent: string): string => (userAgent === '' ? '' : describeBrowser(userAgent));

const inOneLine = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');

export const operatorLabel = (login: string | undefined): string => login || texts.stranger;

/** What somebody is connected to, in a word. */
export const sessionTarget = ({ name, support_id }: Pick<RunningSession, 'name' | 'support_id'>): string =>
  name || (support_id === undefined ? texts.invitation : texts.invitationNumber(support_id));

/** The devices of connections, each once. */
export const deviceIdsOf = (connections: readonly { agent_id?: number | undefined }[]): number[] => [
  ...new Set(connections.flatMap(({ agent_id }) => (agent_id === undefined ? [] : [agent_id]))),
];

/** What one may do on devices, by their ids. */
export type RightsByDevice = ReadonlyMap<number, ReadonlySet<string>>;

interface DeviceListing {
  rights: readonly (readonly string[])[];
  data: readonly { id: number; rights: number }[];
}

export function toRightsByDevice({ rights, data }: DeviceListing): RightsByDevice {
  const sets = rights.map((each) => new Set(each));
  return new Map(data.map(({ id, rights: at }) => [id, sets[at] ?? new Set()]));
}

/** A connection to a device is ended and written about by who may connect; one of an invitation by who sees it. */
export const mayChangeConnection = (agentId: number | undefined, rights: RightsByDevice): boolean =>
  agentId === undefined || (rights.get(agentId)?.has('agent_connect') ?? false);

/** Recordings of running connections stay until the end; `support` says whether one may remove those of invitations. */
export function mayRemoveVideo(
  connection: HistoryConnection,
  rights: RightsByDevice,
  support: boolean,
): boolean {
  if (!connection.video || connection.stop === undefined) return false;
  return connection.agent ? (rights.get(connection.agent.id)?.has('agent_remove_video') ?? false) : support;
}
