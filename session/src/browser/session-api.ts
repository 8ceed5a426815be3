/** The server's part in opening a session, over HTTPS: open, resume, note and alarm. */
import { openRefusal, openReply, type OpenReply } from '@drawbridge/contract/session/open';
import { parseAs } from '@drawbridge/contract/parse';
import { createProblem, type SessionProblem } from '@drawbridge/contract/session/problem';
import type { SessionApi } from '../operator/operator.ts';

async function readReply(response: Promise<Response>): Promise<OpenReply | SessionProblem> {
  try {
    const body: unknown = await (await response).json();
    const reply = parseAs(openReply, body).data;
    return reply ?? parseAs(openRefusal, body).data?.error ?? createProblem('network');
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
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'same-origin',
    });
  return {
    open: (code, key) => readReply(post('/session/open', { code, key })),
    resume: (token, key) => readReply(post('/session/resume', { ...token, key })),
    note: (token, text) => isAccepted(post('/session/note', { ...token, text })),
    alarm: (token, keys) => isAccepted(post('/session/alarm', { ...token, ...keys })),
  };
}
