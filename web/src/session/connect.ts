/** One attempt to connect to the device through the relay: from the ticket to keys that only both sides have. */
import type { OpenReply } from '@drawbridge/contract/session/open';
import type { Clock } from './clock.ts';
import { verifyHello, type HandshakeResult } from './hello.ts';
import type { BufferBytes, SessionKeyPair } from './keys.ts';
import {
  openRelaySocket,
  type Transport,
  type RelayClose,
  type RelaySocketListener,
} from './relay-socket.ts';
import { isProblem, createProblem, type SessionProblem } from './session.ts';

export interface DeviceConnectionOptions {
  opened: OpenReply;
  key: SessionKeyPair;
  /** The key this browser knows the device by. */
  knownKey: string | undefined;
  signal: AbortSignal;
  after: Clock['after'];
}

export type DeviceConnection = HandshakeResult & { socket: Transport };

/** A device answers at once; a client that was invited comes when it comes. */
const pairTimeoutMs = 30_000;
const helloTimeoutMs = 20_000;

const toProblem = ({ reason: sentence }: RelayClose): SessionProblem =>
  sentence === undefined ? createProblem('network') : createProblem('ended', sentence);

const earlyFrame = createProblem('broken', 'something came before the greeting was over');

/** `after` hears what comes once the other side was found to be who it is. */
export async function connectToDevice(
  { opened, key, knownKey, signal, after: startTimer }: DeviceConnectionOptions,
  after: Pick<RelaySocketListener, 'onFrame' | 'onClose'>,
): Promise<DeviceConnection | SessionProblem> {
  const first = Promise.withResolvers<BufferBytes | SessionProblem>();
  let phase: 'handshake' | 'connected' | 'closed' = 'handshake';
  let stopTimer = (): void => {};
  let count = 0;
  /** A device that has said hello waits for its answer: somebody else said more. */
  const takeFirst = (frame: BufferBytes): void => {
    count += 1;
    first.resolve(frame);
  };
  const setTimeLimit = (ms: number): void => {
    stopTimer();
    stopTimer = startTimer(ms, () => first.resolve(createProblem('offline')));
  };
  if (opened.device.key !== undefined) setTimeLimit(pairTimeoutMs);
  const socket = openRelaySocket(opened, {
    onPaired: () => setTimeLimit(helloTimeoutMs),
    onFrame: (frame) => (phase === 'connected' ? after.onFrame(frame) : takeFirst(frame)),
    onClose(closing) {
      if (phase === 'connected') after.onClose(closing);
      phase = 'closed';
      first.resolve(toProblem(closing));
    },
  });
  if (signal.aborted) first.resolve(createProblem('ended'));
  signal.addEventListener('abort', () => first.resolve(createProblem('ended')), { once: true });
  const frame = await first.promise;
  stopTimer();
  const verified = isProblem(frame) ? frame : await verifyHello(frame, opened, key, knownKey);
  const result =
    (phase as string) === 'closed' ? createProblem('network') : count > 1 ? earlyFrame : verified;
  if (isProblem(result)) {
    socket.close();
    return result;
  }
  phase = 'connected';
  return { ...result, socket };
}
