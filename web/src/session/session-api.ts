/** What the page asks the server over HTTPS: begin a session, come back to it, leave a note about it, raise an alarm. */
import { parseAs } from '@drawbridge/contract/parse';
import { openRefusal, openReply, type OpenReply } from '@drawbridge/contract/session/open';
import { createProblem, type SessionProblem } from './session.ts';

/** Comes back to a session that was begun. */
export interface ResumeToken {
  session: number;
  secret: string;
}

export interface SessionApi {
  open(code: string, key: string): Promise<OpenReply | SessionProblem>;
  resume(to: ResumeToken, key: string): Promise<OpenReply | SessionProblem>;
  note(to: ResumeToken, text: string): Promise<boolean>;
  /** Tells the server that the device shows a new key. */
  alarm(to: ResumeToken, keys: { known: string; shown: string }): Promise<boolean>;
}

type Post = (path: string, body: object) => Promise<Response>;

async function readOpened(response: Promise<Response>): Promise<OpenReply | SessionProblem> {
  try {
    const body: unknown = await (await response).json();
    const result = parseAs(openReply, body).data;
    return result ?? parseAs(openRefusal, body).data?.error ?? createProblem('network');
  } catch {
    return createProblem('network');
  }
}

const isAccepted = (response: Promise<Response>): Promise<boolean> =>
  response.then(
    ({ ok }) => ok,
    () => false,
  );

export function createSessionApi(base = ''): SessionApi {
  const post: Post = (path, body) =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'same-origin',
    });
  return {
    open: (code, key) => readOpened(post('/session/open', { code, key })),
    resume: (to, key) => readOpened(post('/session/resume', { ...to, key })),
    note: (to, text) => isAccepted(post('/session/note', { ...to, text })),
    alarm: (to, keys) => isAccepted(post('/session/alarm', { ...to, ...keys })),
  };
}
