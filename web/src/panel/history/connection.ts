/** Describes connections: their target, their origin, and what the user may do with them. */
import type { Output } from '@drawbridge/contract/operation';
import type { V1 } from '@drawbridge/contract/v1/index';
import { personLabel, type PersonNames } from '../team/people/person-label.ts';
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

/** For example "Bremen, Germany"; equal parts are named once. */
export const describeLocation = ({ city, region, country }: GeoLocation): string =>
  [...new Set([city || region, country])].filter((part) => part !== '').join(', ');

/** The location, browser and address of the operator. */
export const describeOrigin = ({ client: [client] }: Pick<HistoryConnection, 'client'>): string =>
  client ? inOneLine(describeLocation(client.geo), browserOf(client.user_agent), client.geo.ip) : '';

export const describeClient = ({ ip, user_agent }: Pick<RunningSession, 'ip' | 'user_agent'>): string =>
  inOneLine(ip, browserOf(user_agent));

const browserOf = (userAgent: string): string => (userAgent === '' ? '' : describeBrowser(userAgent));

const inOneLine = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');

export const operatorLabel = (login: string | undefined, names: PersonNames): string =>
  login ? personLabel(login, names) : texts.stranger;

/** The name of the device, or the number of the invitation. */
export const sessionTarget = ({ name, support_id }: Pick<RunningSession, 'name' | 'support_id'>): string =>
  name || (support_id === undefined ? texts.invitation : texts.invitationNumber(support_id));

/** The devices of the connections, without repetition. */
export const deviceIdsOf = (connections: readonly { agent_id?: number | undefined }[]): number[] => [
  ...new Set(connections.flatMap(({ agent_id }) => (agent_id === undefined ? [] : [agent_id]))),
];

/** The user's permissions on devices, by device id. */
export type RightsByDevice = ReadonlyMap<number, ReadonlySet<string>>;

interface DeviceListing {
  rights: readonly (readonly string[])[];
  data: readonly { id: number; rights: number }[];
}

export function toRightsByDevice({ rights, data }: DeviceListing): RightsByDevice {
  const sets = rights.map((each) => new Set(each));
  return new Map(data.map(({ id, rights: at }) => [id, sets[at] ?? new Set()]));
}

/**
 * Users who may connect to a device may end its connections and edit their notes. For an invitation, everyone who sees
 * the connection may.
 */
export const mayChangeConnection = (agentId: number | undefined, rights: RightsByDevice): boolean =>
  agentId === undefined || (rights.get(agentId)?.has('agent_connect') ?? false);

/** Recordings of running connections cannot be removed; `support`: whether the user may remove those of invitations. */
export function mayRemoveVideo(
  connection: HistoryConnection,
  rights: RightsByDevice,
  support: boolean,
): boolean {
  if (!connection.video || connection.stop === undefined) return false;
  return connection.agent ? (rights.get(connection.agent.id)?.has('agent_remove_video') ?? false) : support;
}
