/** One attempt to connect to the device through the relay: from the ticket to keys that nobody else has. */
import type { Bytes } from '@drawbridge/contract/session/binary';
import type { OpenReply } from '@drawbridge/contract/session/open';
import {
  createProblem,
  isProblem,
  type ProblemCode,
  type SessionProblem,
} from '@drawbridge/contract/session/problem';
import { verifyHello, type HandshakeResult } from '../handshake.ts';
import type {
  Clock,
  RelayClose,
  RelayListener,
  RelayTransport,
  SessionCrypto,
  SessionKeyPair,
} from '../ports.ts';

/** Opens a connection to the relay that a reply names. */
export type OpenRelay = (at: { relay: string; ticket: string }, listener: RelayListener) => RelayTransport;

export interface OperatorConnectOptions {
  reply: OpenReply;
  keyPair: SessionKeyPair;
  /** The key by which the operator already knows the device. */
  knownKey: string | undefined;
  crypto: SessionCrypto;
  openRelay: OpenRelay;
  clock: Clock;
  signal: AbortSignal;
}

export type ConnectedDevice = HandshakeResult & { relay: RelayTransport };

/** A device joins at once; the client of an invitation may take any time. */
const pairTimeoutMs = 30_000;
/** After this the server no longer counts a client as present that has left without a word: the next attempt learns that. */
const clientPairTimeoutMs = 16_000;
const pairTimeoutOf = ({ device }: OpenReply): number =>
  device.id === 0 ? clientPairTimeoutMs : pairTimeoutMs;
const helloTimeoutMs = 20_000;

const toProblem = ({ reason, isEndedByServer }: RelayClose): SessionProblem =>
  isEndedByServer ? createProblem('ended', reason) : createProblem('network');

/** After these problems the operator connects again, so the server must not end the session. */
const returning: ReadonlySet<ProblemCode> = new Set(['network', 'offline', 'changed_key']);

const earlyFrame = createProblem('broken', 'A frame arrived before the handshake was complete.');

/** Calls at once if the signal was aborted before. */
export function onAbort(signal: AbortSignal, call: () => void): void {
  if (signal.aborted) call();
  else signal.addEventListener('abort', call, { once: true });
}

/** `listener` receives what arrives after the device was verified. */
export async function connectToDevice(
  { reply, keyPair, knownKey, crypto, openRelay, clock, signal }: OperatorConnectOptions,
  listener: Pick<RelayListener, 'onFrame' | 'onClose'>,
): Promise<ConnectedDevice | SessionProblem> {
  const first = Promise.withResolvers<Bytes | SessionProblem>();
  let phase: 'handshake' | 'verified' | 'closed' = 'handshake';
  let stopTimer = (): void => {};
  let frames = 0;
  const takeFirst = (frame: Bytes): void => {
    frames += 1;
    first.resolve(frame);
  };
  const setTimeLimit = (ms: number): void => {
    stopTimer();
    stopTimer = clock.after(ms, () => first.resolve(createProblem('offline')));
  };
  if (reply.device.key !== undefined) setTimeLimit(pairTimeoutOf(reply));
  const relay = openRelay(reply, {
    onPaired: () => setTimeLimit(helloTimeoutMs),
    onFrame: (frame) => (phase === 'verified' ? listener.onFrame(frame) : takeFirst(frame)),
    onClose(close) {
      if (phase === 'verified') listener.onClose(close);
      phase = 'closed';
      first.resolve(toProblem(close));
    },
  });
  onAbort(signal, () => first.resolve(createProblem('ended')));
  const frame = await first.promise;
  stopTimer();
  const verified = isProblem(frame) ? frame : await verifyHello(crypto, frame, { reply, keyPair, knownKey });
  // A device that has said hello waits for its answer: another frame came from somebody else.
  const result =
    (phase as string) === 'closed' ? createProblem('network') : frames > 1 ? earlyFrame : verified;
  if (isProblem(result)) {
    relay.close(!signal.aborted && returning.has(result.code));
    return result;
  }
  phase = 'verified';
  return { ...result, relay };
}
