/** What the page asks the server over HTTPS: begin a session, come back to it, leave a note about it, raise an alarm. */
import { parseAs } from '@drawbridge/contract/parse';
import { openRefusal, openReply, type OpenReply } from '@drawbridge/contract/session/open';
import { createProblem, type SessionProblem } from './session.ts';

/** Comes back to a session that was begun. */
export interface Return {
  session: number;
  secret: string;
}

export interface Doors {
  open(code: string, key: string): Promise<OpenReply | SessionProblem>;
  resume(to: Return, key: string): Promise<OpenReply | SessionProblem>;
  note(to: Return, text: string): Promise<boolean>;
  /** Tells the server that the device shows a new key. */
  alarm(to: Return, keys: { known: string; shown: string }): Promise<boolean>;
}

type Ask = (path: string, body: object) => Promise<Response>;

async function read(asked: Promise<Response>): Promise<OpenReply | SessionProblem> {
  try {
    const body: unknown = await (await asked).json();
    const fine = parseAs(openReply, body).data;
    return fine ?? parseAs(openRefusal, body).data?.error ?? createProblem('network');
  } catch {
    return createProblem('network');
  }
}

const isDone = (asked: Promise<Response>): Promise<boolean> =>
  asked.then(
    ({ ok }) => ok,
    () => false,
  );

export function createDoors(base = ''): Doors {
  const ask: Ask = (path, body) =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'same-origin',
    });
  return {
    open: (code, key) => read(ask('/session/open', { code, key })),
    resume: (to, key) => read(ask('/session/resume', { ...to, key })),
    note: (to, text) => isDone(ask('/session/note', { ...to, text })),
    alarm: (to, keys) => isDone(ask('/session/alarm', { ...to, ...keys })),
  };
}
