/** Opens and closes sessions through the relay, with the session code of the agent and of the console. */
import { Agent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { createProblem, type SessionProblem } from '@drawbridge/contract/session/problem';
import { createClock } from '@drawbridge/session/clock';
import { createKeyPins } from '@drawbridge/session/operator/key-pins';
import { nodeCrypto } from '@drawbridge/session/node/crypto';
import { openRelaySocket } from '@drawbridge/session/node/relay-socket';
import { openSession, type OperatorOptions, type SessionApi } from '@drawbridge/session/operator/operator';
import { sendTimed } from '../fleet/timed-requests.ts';
import type { MeasuredServer } from '../kit/server.ts';
import { waitUntilReady } from '../screen/bench-display.ts';
import { startSimulatedDevice } from './device.ts';

export interface SessionLoad extends AsyncDisposable {
  /** Opens a session, waits until it is live, and ends it. */
  openAndClose(): Promise<void>;
}

/** What the console uses of the browser, from Node. */
const ports: Omit<OperatorOptions, 'from' | 'api'> = {
  crypto: nodeCrypto,
  openRelay: (at, listener) => openRelaySocket({ ...at, isTrusted: () => true }, listener),
  openPeer: undefined,
  clock: createClock(),
  pins: createKeyPins({ getItem: () => null, setItem: () => {} }),
  sanitize: (_, payload) => payload,
};

type Post = <Answer>(path: string, body?: object) => Promise<Answer>;

/** Without a body, it is a GET. */
function postTo(origin: string, headers: Record<string, string>): Post {
  const agent = new Agent({ keepAlive: true });
  return async <Answer>(path: string, body?: object) => {
    const type = { ...(body && { 'Content-Type': 'application/json' }) };
    const question = { url: `${origin}${path}`, headers: { ...headers, ...type } };
    const { http, text } = await sendTimed(
      { ...question, ...(body && { body: JSON.stringify(body) }) },
      agent,
    );
    if (http >= 500) throw new Error(`${path} failed: ${text}`);
    return JSON.parse(text) as Answer;
  };
}

/** No session of the run is resumed, and none has a note. */
const sessionApi = (post: Post): SessionApi => ({
  async open(code, key) {
    const reply = await post<OpenReply & { error?: SessionProblem }>('/session/open', { code, key });
    return reply.error ?? reply;
  },
  resume: async () => createProblem('network'),
  note: async () => false,
  alarm: async () => false,
});

export async function startSessions(server: MeasuredServer, apiKey: string): Promise<SessionLoad> {
  const origin = `https://localhost:${server.port}`;
  const call = postTo(origin, { 'X-Api-Key': apiKey });
  const { token } = await call<{ token: string }>('/v1/agents/enroll/create', {});
  const stop = await startSimulatedDevice(origin, token);
  const id = await lastDevice(call);
  const api = sessionApi(postTo(origin, { Origin: origin }));
  return {
    async openAndClose() {
      for (let isDone = false; !isDone; await wait(isDone ? 0 : 100)) {
        const { data } = await call<{ data: { url: string } }>(`/v1/agents/connect?agent_id=${id}`, {});
        isDone = await runSession({
          ...ports,
          from: { code: new URL(data.url).pathname.split('/')[2]! },
          api,
        });
      }
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** The number of the device that was added last, as soon as it is online. */
async function lastDevice(call: Post): Promise<number> {
  let last: { id: number; online: boolean } | undefined;
  const isOnline = async (): Promise<boolean> => {
    const { data } = await call<{ data: { id: number; online: boolean }[] }>('/v1/agents/list');
    last = data.toSorted((a, b) => a.id - b.id).at(-1);
    return last?.online === true;
  };
  await waitUntilReady(isOnline, 'The agent');
  return last!.id;
}

/** Of a device that has not noticed the end of earlier sessions yet, or that is just reconnecting. */
const passingProblems: ReadonlySet<string> = new Set(['refused', 'offline', 'busy', 'network']);

/** Returns false if there was a problem that another attempt may not have. */
async function runSession(options: OperatorOptions): Promise<boolean> {
  const session = openSession(options);
  const live = new Promise<void>((resolve) => {
    session.onChange(() => session.state.phase === 'live' && resolve());
  });
  await Promise.race([live, session.ended]);
  const { phase, message, problem } = session.state;
  if (problem && passingProblems.has(problem.code)) return false;
  if (phase !== 'live') throw new Error(`A session ended early: ${message}`);
  session.end();
  await session.ended;
  return true;
}
