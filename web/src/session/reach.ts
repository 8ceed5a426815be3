/** One try to reach the other side through the relay: from the ticket to keys that nobody else has. */
import type { OpenReply } from '@drawbridge/contract/session/open';
import type { Clock } from './clock.ts';
import { hearHello, type Greeted } from './hello.ts';
import type { Bytes, SessionKey } from './keys.ts';
import {
  openRelaySocket,
  type Transport,
  type RelayClose,
  type RelaySocketListener,
} from './relay-socket.ts';
import { isProblem, createProblem, type SessionProblem } from './session.ts';

export interface Reaching {
  opened: OpenReply;
  key: SessionKey;
  /** The key this browser knows the device by. */
  knownKey: string | undefined;
  signal: AbortSignal;
  after: Clock['after'];
}

export type Reached = Greeted & { socket: Transport };

/** A device answers at once; a client that was invited comes when it comes. */
const pairMs = 30_000;
const helloMs = 20_000;

const toProblem = ({ reason: sentence }: RelayClose): SessionProblem =>
  sentence === undefined ? createProblem('network') : createProblem('ended', sentence);

const tooEarly = createProblem('broken', 'something came before the greeting was over');

/** `after` hears what comes once the other side was found to be who it is. */
export async function reach(
  { opened, key, knownKey, signal, after: later }: Reaching,
  after: Pick<RelaySocketListener, 'onFrame' | 'onClose'>,
): Promise<Reached | SessionProblem> {
  const first = Promise.withResolvers<Bytes | SessionProblem>();
  let phase: 'greeting' | 'greeted' | 'gone' = 'greeting';
  let stop = (): void => {};
  let count = 0;
  /** A device that has said hello waits for its answer: somebody else said more. */
  const greet = (frame: Bytes): void => {
    count += 1;
    first.resolve(frame);
  };
  const limit = (ms: number): void => {
    stop();
    stop = later(ms, () => first.resolve(createProblem('offline')));
  };
  if (opened.device.key !== undefined) limit(pairMs);
  const socket = openRelaySocket(opened, {
    onPaired: () => limit(helloMs),
    onFrame: (frame) => (phase === 'greeted' ? after.onFrame(frame) : greet(frame)),
    onClose(closing) {
      if (phase === 'greeted') after.onClose(closing);
      phase = 'gone';
      first.resolve(toProblem(closing));
    },
  });
  if (signal.aborted) first.resolve(createProblem('ended'));
  signal.addEventListener('abort', () => first.resolve(createProblem('ended')), { once: true });
  const frame = await first.promise;
  stop();
  const greeted = isProblem(frame) ? frame : await hearHello(frame, opened, key, knownKey);
  const answer = (phase as string) === 'gone' ? createProblem('network') : count > 1 ? tooEarly : greeted;
  if (isProblem(answer)) {
    socket.close();
    return answer;
  }
  phase = 'greeted';
  return { ...answer, socket };
}
