/** Writes the connection history as CSV, in parts while it is sent. */
import { byteOrderMark, csvLine } from '@drawbridge/contract/csv';
import type { Session } from '../../store/records.ts';
import type { HandlerContext } from '../handler.ts';

/** How many connections are read at a time. */
export const exportPageSize = 500;

/** `2026-01-02T03:04:05Z` */
export const isoTime = (time: number): string => new Date(time * 1_000).toISOString().replace('.000Z', 'Z');

/** The columns by name. */
const columns: Record<string, (session: Session) => string | number> = {
  id: ({ id }) => id,
  start: ({ start }) => isoTime(start),
  stop: ({ stop }) => (stop === null ? '' : isoTime(stop)),
  seconds: ({ start, stop }) => (stop === null ? '' : stop - start),
  login: ({ login }) => login,
  ip: ({ geo }) => geo.ip,
  country: ({ geo }) => geo.country,
  region: ({ geo }) => geo.region,
  city: ({ geo }) => geo.city,
  user_agent: ({ userAgent }) => userAgent,
  agent_id: ({ agent }) => agent?.id ?? '',
  agent: ({ agent }) => agent?.name ?? '',
  group: ({ agent }) => agent?.group ?? '',
  agent_ip: ({ agent }) => agent?.geo.ip ?? '',
  os: ({ agent }) => agent?.os ?? '',
  support_id: ({ invitationId }) => invitationId ?? '',
  video_bytes: ({ video }) => video?.size ?? '',
  note: ({ note }) => note,
  bytes: ({ bytes }) => bytes,
  ended_by: ({ endedBy }) => endedBy ?? '',
  reason: ({ reason }) => reason,
};

const csvRowOf = (session: Session): string => csvLine(Object.values(columns).map((cell) => cell(session)));

/** Writes the first page, which is already loaded, and then all others. */
export async function* streamCsv(
  first: readonly Session[],
  next: (last: Session) => Promise<Session[]>,
  { yieldToEventLoop }: Pick<HandlerContext, 'yieldToEventLoop'>,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(Object.keys(columns));
  for (let part = first; part.length > 0; part = await next(part.at(-1)!)) {
    yield part.map(csvRowOf).join('');
    if (part.length < exportPageSize) return;
    await yieldToEventLoop();
  }
}
