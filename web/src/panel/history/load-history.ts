/** Loads connections and running sessions, with what the user may do with each. */
import { get, type ApiRequestOptions } from '../api.ts';
import { mayInSupport, maySeeInvitations } from '../current-user.ts';
import { formatInviteCode, clientLabel } from '../support/invitation.ts';
import { loadPersonNames } from '../team/people/load-person-names.ts';
import { t } from '../texts/index.ts';
import {
  deviceIdsOf,
  mayRemoveVideo,
  mayChangeConnection,
  operatorLabel,
  toRightsByDevice,
  sessionTarget,
  type HistoryConnection,
  type RightsByDevice,
  type RunningSession,
} from './connection.ts';
import { toConnectionParams, historyPageSize, type ConnectionFilter } from './filter.ts';

async function loadRights(ids: readonly number[], options: ApiRequestOptions): Promise<RightsByDevice> {
  if (ids.length === 0) return new Map();
  return toRightsByDevice(await get('devices', { ids: ids.join() }, options));
}

/** The names of the clients of these invitations; only the owner of the account sees them. */
async function loadClientNames(
  ids: readonly (number | undefined)[],
  options: ApiRequestOptions,
): Promise<Map<number, string>> {
  const asked = [...new Set(ids.filter((id) => id !== undefined))];
  if (asked.length === 0 || !maySeeInvitations()) return new Map();
  const { data } = await get('support/clients', { ids: asked.join() }, options);
  return new Map(data.map(({ connection_id, client_name }) => [connection_id, client_name]));
}

export interface ListedConnection extends HistoryConnection {
  /** The name of the client of an invitation; empty if it has none or the user may not see it. */
  clientName: string;
  /** The operator, with their name. */
  operator: string;
  mayNote: boolean;
  mayRemoveVideo: boolean;
}

export interface HistoryResult {
  total: number;
  connections: ListedConnection[];
}

export async function loadHistory(
  filter: ConnectionFilter,
  options: ApiRequestOptions,
): Promise<HistoryResult> {
  const params = {
    ...toConnectionParams(filter),
    limit: historyPageSize,
    offset: (filter.page - 1) * historyPageSize,
  };
  const { total, data } = await get('v1/history/list', params, options);
  const [rights, clients, names] = await Promise.all([
    loadRights(deviceIdsOf(data.map(({ agent }) => ({ agent_id: agent?.id }))), options),
    loadClientNames(
      data.map(({ support_id }) => support_id),
      options,
    ),
    loadPersonNames(
      data.map(({ client: [client] }) => client?.login),
      options,
    ),
  ]);
  const ofInvitations = mayInSupport('agent_remove_video');
  const connections = data.map((each) => ({
    ...each,
    clientName: clients.get(each.support_id ?? 0) ?? '',
    operator: operatorLabel(each.client[0]?.login, names),
    mayNote: mayChangeConnection(each.agent?.id, rights),
    mayRemoveVideo: mayRemoveVideo(each, rights, ofInvitations),
  }));
  return { total, connections };
}

export interface ListedSession extends RunningSession {
  /** The name of the device, or of the client of an invitation. */
  target: string;
  operator: string;
  mayEnd: boolean;
}

export interface RunningSessionList {
  total: number;
  sessions: ListedSession[];
}

/** Further sessions are only counted. */
const maxListed = 100;

export async function loadRunningSessions(options: ApiRequestOptions): Promise<RunningSessionList> {
  const { total, data } = await get('v1/sessions/list', { limit: maxListed }, options);
  const [rights, names, clients] = await Promise.all([
    loadRights(deviceIdsOf(data), options),
    loadPersonNames(
      data.map(({ login }) => login),
      options,
    ),
    data.some(({ support_id }) => support_id !== undefined)
      ? loadClientLabels(options)
      : new Map<number, string>(),
  ]);
  const sessions = data.map((each) => ({
    ...each,
    target: clients.get(each.support_id ?? 0) ?? sessionTarget(each),
    operator: operatorLabel(each.login, names),
    mayEnd: mayChangeConnection(each.agent_id, rights),
  }));
  return { total, sessions };
}

/** The client names of invitations by id; invitations without a name are labelled with their code. */
async function loadClientLabels(options: ApiRequestOptions): Promise<Map<number, string>> {
  if (!maySeeInvitations()) return new Map();
  const { data } = await get('v1/support/list', {}, options);
  return new Map(
    data.map((each) => [
      each.id,
      each.client_name ? clientLabel(each) : t.support.invitation(formatInviteCode(each.invite_code)),
    ]),
  );
}
