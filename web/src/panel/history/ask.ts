/** Asks the server for connections, and for what one may do about each. */
import { get, type ApiRequestOptions } from '../api.ts';
import { mayInSupport, maySeeInvitations } from '../me.ts';
import { readableCode, whomOf } from '../support/invitation.ts';
import { t } from '../texts/index.ts';
import {
  devicesOf,
  mayRemoveVideo,
  mayTouch,
  rightsIn,
  targetOf,
  type Connection,
  type Rights,
  type Running,
} from './connection.ts';
import { toConnectionParams, historyPageSize, type ConnectionFilter } from './filter.ts';

async function rightsOn(ids: readonly number[], options: ApiRequestOptions): Promise<Rights> {
  if (ids.length === 0) return new Map();
  return rightsIn(await get('devices', { ids: ids.join() }, options));
}

export interface ShownConnection extends Connection {
  mayNote: boolean;
  mayRemoveVideo: boolean;
}

export interface HistoryPage {
  total: number;
  connections: ShownConnection[];
}

export async function askHistory(filter: ConnectionFilter, options: ApiRequestOptions): Promise<HistoryPage> {
  const params = {
    ...toConnectionParams(filter),
    limit: historyPageSize,
    offset: (filter.page - 1) * historyPageSize,
  };
  const { total, data } = await get('v1/history/list', params, options);
  const rights = await rightsOn(devicesOf(data.map(({ agent }) => ({ agent_id: agent?.id }))), options);
  const ofInvitations = mayInSupport('agent_remove_video');
  const connections = data.map((each) => ({
    ...each,
    mayNote: mayTouch(each.agent?.id, rights),
    mayRemoveVideo: mayRemoveVideo(each, rights, ofInvitations),
  }));
  return { total, connections };
}

export interface ShownRunning extends Running {
  /** The device, or whom an invitation was made for. */
  target: string;
  mayEnd: boolean;
}

export interface RunningNow {
  total: number;
  sessions: ShownRunning[];
}

/** More are counted, and not listed. */
const most = 100;

export async function askRunning(options: ApiRequestOptions): Promise<RunningNow> {
  const { total, data } = await get('v1/sessions/list', { limit: most }, options);
  const [rights, clients] = await Promise.all([
    rightsOn(devicesOf(data), options),
    data.some(({ support_id }) => support_id !== undefined) ? clientsOf(options) : new Map<number, string>(),
  ]);
  const sessions = data.map((each) => ({
    ...each,
    target: clients.get(each.support_id ?? 0) ?? targetOf(each),
    mayEnd: mayTouch(each.agent_id, rights),
  }));
  return { total, sessions };
}

/** Invitations by whom they were made for, or by their code. */
async function clientsOf(options: ApiRequestOptions): Promise<Map<number, string>> {
  if (!maySeeInvitations()) return new Map();
  const { data } = await get('v1/support/list', {}, options);
  return new Map(
    data.map((each) => [
      each.id,
      each.client_name ? whomOf(each) : t.support.invitation(readableCode(each.invite_code)),
    ]),
  );
}
