/** Loads connections and running sessions, with what the user may do with each. */
import { get, type ApiRequestOptions } from '../api.ts';
import { mayInSupport, maySeeInvitations } from '../current-user.ts';
import { formatInviteCode, clientLabel } from '../support/invitation.ts';
import { t } from '../texts/index.ts';
import {
  deviceIdsOf,
  mayRemoveVideo,
  mayChangeConnection,
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

export interface ListedConnection extends HistoryConnection {
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
  const rights = await loadRights(deviceIdsOf(data.map(({ agent }) => ({ agent_id: agent?.id }))), options);
  const ofInvitations = mayInSupport('agent_remove_video');
  const connections = data.map((each) => ({
    ...each,
    mayNote: mayChangeConnection(each.agent?.id, rights),
    mayRemoveVideo: mayRemoveVideo(each, rights, ofInvitations),
  }));
  return { total, connections };
}

export interface ListedSession extends RunningSession {
  /** The name of the device, or of the client of an invitation. */
  target: string;
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
  const [rights, clients] = await Promise.all([
    loadRights(deviceIdsOf(data), options),
    data.some(({ support_id }) => support_id !== undefined)
      ? loadClientLabels(options)
      : new Map<number, string>(),
  ]);
  const sessions = data.map((each) => ({
    ...each,
    target: clients.get(each.support_id ?? 0) ?? sessionTarget(each),
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
