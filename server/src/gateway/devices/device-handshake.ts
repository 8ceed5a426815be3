/** The handshake on a new WebSocket of a device: closes it when it is too slow, connects too often or the server is full. */
import type { Duplex } from 'node:stream';
import { uplinkCloseCodes } from '@drawbridge/contract/close-codes';
import type { DownMessage } from '@drawbridge/contract/uplink/messages';
import { closeSocket } from '@drawbridge/relay/socket-server';
import type { WebSocket } from 'ws';
import type { KeyedQueue } from '../../edges/keyed-queue.ts';
import type { Log } from '../../edges/log.ts';
import { createRateLimiter, type RateLimit, type RateLimiter } from '../../edges/rate-limiter.ts';
import {
  admit,
  badProof,
  createChallenge,
  isProofValid,
  type AdmissionDeps,
  type Admitted,
  type HandshakeMessages,
} from './admission.ts';
import { createAdmissionLimit, type AdmissionLimit } from './admission-limit.ts';
import { createHandshakeReader, limitBytes, maxHandshakeBytes } from './handshake-reader.ts';
import { createHelloLimiter, type HelloLimiter } from './hello-limiter.ts';
import { sendToDevice } from './uplink-connection.ts';
import { createViolationLimiter, type ViolationLimiter } from './violation-limiter.ts';

export interface DeviceHandshakeDeps extends AdmissionDeps {
  log: Log;
  /** A device that reconnects must not overtake what it reported before it left. */
  queue: KeyedQueue;
  /** Whether the maximum number of devices is connected. */
  isFull(): boolean;
  /** How many handshakes one network may begin without completing them. */
  hellos?: RateLimit;
  /** How many messages that no device sends one network may send. */
  violations?: RateLimit;
}

export interface AuthenticatedDevice extends Admitted {
  key: string;
  /** The version of the uplink that the device speaks. */
  version: number;
  address: string;
}

export interface DeviceHandshake {
  /** Whether too many WebSockets from this network were closed for what they sent. */
  isBlocked(address: string): boolean;
  /** Resolves to the device, or to undefined when it was refused or has left. */
  run(socket: WebSocket, rawSocket: Duplex, address: string): Promise<AuthenticatedDevice | undefined>;
}

interface State {
  readonly deps: DeviceHandshakeDeps;
  /** By a proved key. The key alone is public: others could use it to keep the device away. */
  readonly reconnects: RateLimiter;
  readonly hellos: HelloLimiter;
  readonly violations: ViolationLimiter;
  readonly admissions: AdmissionLimit;
}

/** How long a device may take for its part of the handshake. The time the server takes to admit it does not count. */
const handshakeTimeoutMs = 10_000;

type Deferral = [why: string, Extract<DownMessage, { kind: 'move' }>];
const deferredTooOften: Deferral = ['too often', { kind: 'move', after_seconds: 30 }];

export function createDeviceHandshake(deps: DeviceHandshakeDeps): DeviceHandshake {
  const state: State = {
    deps,
    reconnects: createRateLimiter({ perSecond: 0.5, burst: 20 }),
    hellos: createHelloLimiter(deps.hellos),
    violations: createViolationLimiter(deps.violations),
    admissions: createAdmissionLimit(() => performance.now()),
  };
  return {
    isBlocked: (address) => state.violations.isBlocked(address),
    run: (socket, rawSocket, address) => run(state, socket, rawSocket, address),
  };
}

async function run(
  state: State,
  socket: WebSocket,
  rawSocket: Duplex,
  address: string,
): Promise<AuthenticatedDevice | undefined> {
  const stopCounting = limitBytes(rawSocket, maxHandshakeBytes, () => state.violations.record(address));
  const timer = setTimeout(() => close(socket, 'too_slow'), handshakeTimeoutMs);
  try {
    return await authenticate(state, socket, address, () => clearTimeout(timer));
  } catch (error) {
    state.deps.log.error({ err: error }, 'could not admit a device');
    return close(socket, 'failed');
  } finally {
    clearTimeout(timer);
    stopCounting();
  }
}

async function authenticate(
  state: State,
  socket: WebSocket,
  address: string,
  onProof: () => void,
): Promise<AuthenticatedDevice | undefined> {
  const { deps, hellos } = state;
  const reader = createHandshakeReader(socket, () => state.violations.record(address));
  const hello = await reader.next('hello');
  if (!hello) return close(socket, 'not_understood');
  const challenge = createChallenge(hello, deps);
  sendToDevice(socket, challenge);
  if (challenge.kind === 'refused') return close(socket, 'refused', challenge.code);
  const deferral = deferralFor(state);
  if (deferral) return defer(socket, deferral);
  const spent = hellos.spend(address, hello.key);
  if (!spent) return defer(socket, deferredTooOften);
  const proof = await reader.next('proof');
  onProof();
  if (!proof) return close(socket, 'not_understood');
  const messages = { hello, challenge, proof, address };
  if (!isProofValid(messages, deps)) return refuse(socket, badProof);
  spent.giveBack();
  // Others have come since the hello.
  const laterDeferral = deferralFor(state);
  if (laterDeferral) return defer(socket, laterDeferral);
  if (!state.reconnects.allow(hello.key)) return defer(socket, deferredTooOften);
  return finishHandshake(state, socket, messages);
}

async function finishHandshake(
  state: State,
  socket: WebSocket,
  messages: HandshakeMessages,
): Promise<AuthenticatedDevice | undefined> {
  const { hellos, violations } = state;
  const { hello, address } = messages;
  const admitted = await admitInOrder(state, messages);
  if ('kind' in admitted) {
    // Anyone can make up keys and prove them, so a refused device pays for its hello.
    hellos.spend(address, hello.key);
    return refuse(socket, admitted);
  }
  violations.exempt(address);
  hellos.admitted(hello.key);
  return { ...admitted, key: hello.key, version: hello.version, address };
}

async function admitInOrder(state: State, messages: HandshakeMessages): ReturnType<typeof admit> {
  const { deps, admissions } = state;
  const end = admissions.begin();
  let isAdmitted = false;
  try {
    const admitted = await deps.queue.run(messages.hello.key, () => admit(messages, deps));
    isAdmitted = !('kind' in admitted);
    return admitted;
  } finally {
    end(isAdmitted);
  }
}

/** Why the device must connect later, and after how long; undefined when the server can take it now. */
function deferralFor({ deps, admissions }: State): Deferral | undefined {
  if (deps.isFull()) return ['full', { kind: 'move', after_seconds: 60 }];
  if (admissions.hasRoom()) return undefined;
  return ['busy', { kind: 'move', after_seconds: admissions.retryAfterSeconds() }];
}

/** Asks the device to connect later. */
function defer(socket: WebSocket, [why, move]: Deferral): undefined {
  sendToDevice(socket, move);
  return close(socket, 'busy', why);
}

function refuse(socket: WebSocket, refused: Extract<DownMessage, { kind: 'refused' }>): undefined {
  sendToDevice(socket, refused);
  return close(socket, 'refused', refused.code);
}

function close(socket: WebSocket, why: keyof typeof uplinkCloseCodes, reason?: string): undefined {
  closeSocket(socket, uplinkCloseCodes[why], reason);
  return undefined;
}
