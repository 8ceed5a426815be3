/** The server's part in a session, over HTTPS: show, open, resume, note, alarm, and a link to connect again. */
import {
  againReply,
  openRefusal,
  openReply,
  relaysReply,
  sessionSubject,
  type AgainReply,
  type OpenReply,
  type SessionSubject,
} from '@drawbridge/contract/session/open';
import { parseAs } from '@drawbridge/contract/parse';
import { createProblem, type SessionProblem } from '@drawbridge/contract/session/problem';
import type { RoundTrip } from '@drawbridge/contract/session/round-trips';
import { createClock } from '../clock.ts';
import { measureRelays } from '../measure-relays.ts';
import { openBrowserEcho } from './echo-socket.ts';
import type { ResumeToken, SessionApi } from '../operator/operator.ts';

async function readReply<Reply>(
  response: Promise<Response>,
  parse: (body: unknown) => Reply | undefined,
): Promise<Reply | SessionProblem> {
  try {
    const body: unknown = await (await response).json();
    return parse(body) ?? parseAs(openRefusal, body).data?.error ?? createProblem('network');
  } catch {
    return createProblem('network');
  }
}

const parseOpenReply = (body: unknown): OpenReply | undefined => parseAs(openReply, body).data;

const isAccepted = (response: Promise<Response>): Promise<boolean> =>
  response.then(
    ({ ok }) => ok,
    () => false,
  );

const postTo = (base: string, path: string, body: object): Promise<Response> =>
  fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'same-origin',
  });

/** Asks whose session a link or an invitation opens, or why it does not open. */
export const loadSubject = (of: 'show' | 'inviter', code: string): Promise<SessionSubject | SessionProblem> =>
  readReply(postTo('', `/session/${of}`, { code }), (body) => parseAs(sessionSubject, body).data);

/** Starts or stops a recording; resolves to undefined when the device has accepted it, or to why not. */
export async function switchRecording(token: ResumeToken, on: boolean): Promise<SessionProblem | undefined> {
  try {
    const response = await postTo('', '/session/record', { ...token, on });
    if (response.ok) return undefined;
    return parseAs(openRefusal, await response.json()).data?.error ?? createProblem('network');
  } catch {
    return createProblem('network');
  }
}

const askAgain = <Part>(
  token: ResumeToken,
  check: boolean,
  read: (reply: AgainReply) => Part | undefined,
): Promise<Part | SessionProblem> =>
  readReply(postTo('', '/session/again', { ...token, check }), (body) =>
    read(parseAs(againReply, body).data ?? {}),
  );

/** Whether `connectAgain` would give a link. */
export const mayConnectAgain = async (token: ResumeToken): Promise<boolean> =>
  (await askAgain(token, true, ({ may }) => may)) === true;

/** The path of a link that opens such a session again, or why this person gets none. */
export const connectAgain = (token: ResumeToken): Promise<string | SessionProblem> =>
  askAgain(token, false, ({ url }) => url);

/** The relays that this browser reaches, if the server has several. */
export async function measureOfferedRelays(base = ''): Promise<RoundTrip[]> {
  try {
    const body: unknown = await (await postTo(base, '/session/relays', {})).json();
    const { relays = [] } = parseAs(relaysReply, body).data ?? {};
    return await measureRelays(relays, openBrowserEcho, createClock());
  } catch {
    return [];
  }
}

/** `roundTrips`: to the relays of the server, once they are measured. */
export function createSessionApi(base = '', roundTrips?: Promise<RoundTrip[]>): SessionApi {
  const post = (path: string, body: object): Promise<Response> => postTo(base, path, body);
  const postMeasured = async (path: string, body: object): Promise<Response> =>
    post(path, { ...body, round_trips: await roundTrips });
  return {
    open: (code, key) => readReply(postMeasured('/session/open', { code, key }), parseOpenReply),
    resume: (token, key) => readReply(postMeasured('/session/resume', { ...token, key }), parseOpenReply),
    note: (token, text) => isAccepted(post('/session/note', { ...token, text })),
    alarm: (token, keys) => isAccepted(post('/session/alarm', { ...token, ...keys })),
  };
}
