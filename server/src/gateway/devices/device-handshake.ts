/** The way in for a socket that nobody knows yet: whoever is too slow, comes too often or finds no room is sent away. */
import type { Duplex } from 'node:stream';
import type { DownMessage } from '@drawbridge/contract/uplink/messages';
import type { WebSocket } from 'ws';
import type { Log } from '../../edges/log.ts';
import { networkOf } from '../../domain/networks.ts';
import { createRateLimiter, type RateLimit } from '../../edges/rate-limiter.ts';
import { addBounded } from '../../edges/guess-limiter.ts';
import {
  admit,
  badProof,
  createChallenge,
  isProofValid,
  type AdmissionDeps,
  type Admitted,
  type HandshakeMessages,
} from './admission.ts';
import { limitBytes, createHandshakeReader, maxHandshakeBytes } from './handshake-reader.ts';
import { sendToDevice } from './uplink-connection.ts';
import { createViolationLimiter } from './violation-limiter.ts';
import type { KeyedQueue } from '../../edges/keyed-queue.ts';

export interface DeviceHandshakeDeps extends AdmissionDeps {
  log: Log;
  /** A device that comes back must not overtake what it said before it left. */
  queue: KeyedQueue;
  /** Whether as many devices are in as may be. */
  isFull(): boolean;
  /** How many may say hello from one network without being let in. */
  hellos?: RateLimit;
  /** How many from one network may say what no device says. */
  violations?: RateLimit;
}

export interface AuthenticatedDevice extends Admitted {
  key: string;
  /** The version of the uplink the device speaks. */
  version: number;
  address: string;
}

export interface DeviceHandshake {
  /** Whether too many sockets from there were refused for what they said. */
  isBlocked(address: string): boolean;
  /** The device behind the socket; undefined when it was sent away or has gone. */
  run(socket: WebSocket, rawSocket: Duplex, address: string): Promise<AuthenticatedDevice | undefined>;
}

/** How long a device may take to say who it is. What the server itself takes to let it in does not count. */
const handshakeTimeoutMs = 10_000;
/** How many are let in at once; more would only wait for the store, and longer than they have patience. */
const maxConcurrentAdmissions = 1_000;

/**
 * Who is let in has cost nothing: thousands of devices may share a network, and all come back at once. More than these are
 * not under way at the same time, as the connections of strangers are counted too.
 */
const defaultHelloRate: RateLimit = { perSecond: 20, burst: 3_000 };
/** How often one device that was in before may come back while others in its network have used up the hellos. */
const returningDeviceRate: RateLimit = { perSecond: 0.1, burst: 5 };

type Deferral = [why: string, Extract<DownMessage, { kind: 'move' }>];
const deferredTooOften: Deferral = ['too often', { kind: 'move', after_seconds: 30 }];

function closeWith(socket: WebSocket, code: number, why: string): undefined {
  socket.close(code, why);
  return undefined;
}

function refuse(socket: WebSocket, refused: Extract<DownMessage, { kind: 'refused' }>): undefined {
  sendToDevice(socket, refused);
  return closeWith(socket, 4_003, refused.code);
}

/** Asks the device to come another time. */
function defer(socket: WebSocket, [why, move]: Deferral): undefined {
  sendToDevice(socket, move);
  return closeWith(socket, 4_009, why);
}

/** Counts hellos by network. A device that this process let in before has some of its own: its neighbours cannot keep it away. */
function createHelloLimiter(pace: RateLimit) {
  const [byNetwork, byKey] = [createRateLimiter(pace), createRateLimiter(returningDeviceRate)];
  const known = new Set<string>();
  return {
    admitted: (key: string) => addBounded(known, key),
    /** Undefined when there are none left. */
    spend(address: string, key: string): { giveBack(): void } | undefined {
      const network = networkOf(address);
      if (byNetwork.allow(network)) return { giveBack: () => byNetwork.refund(network) };
      return known.has(key) && byKey.allow(key) ? { giveBack: () => byKey.refund(key) } : undefined;
    },
  };
}

export function createDeviceHandshake(deps: DeviceHandshakeDeps): DeviceHandshake {
  // By a key that was proved: the key alone is known to many, and by it others could keep the device away.
  const reconnects = createRateLimiter({ perSecond: 0.5, burst: 20 });
  const hellos = createHelloLimiter(deps.hellos ?? defaultHelloRate);
  const violations = createViolationLimiter(deps.violations);
  let admitting = 0;

  /** Why the device should come another time, and after how long; undefined when it may come in. */
  const deferralFor = (): Deferral | undefined => {
    if (deps.isFull()) return ['full', { kind: 'move', after_seconds: 60 }];
    return admitting >= maxConcurrentAdmissions ? ['busy', { kind: 'move', after_seconds: 10 }] : undefined;
  };

  async function admitInOrder(messages: HandshakeMessages): Promise<Awaited<ReturnType<typeof admit>>> {
    admitting++;
    try {
      return await deps.queue.run(messages.hello.key, () => admit(messages, deps));
    } finally {
      admitting--;
    }
  }

  async function authenticate(
    socket: WebSocket,
    address: string,
    onProof: () => void,
  ): Promise<AuthenticatedDevice | undefined> {
    const reader = createHandshakeReader(socket, () => violations.record(address));
    const hello = await reader.next('hello');
    if (!hello) return closeWith(socket, 4_000, 'not understood');
    const challenge = createChallenge(hello, deps);
    sendToDevice(socket, challenge);
    if (challenge.kind === 'refused') return closeWith(socket, 4_003, challenge.code);
    const deferral = deferralFor();
    if (deferral) return defer(socket, deferral);
    const spent = hellos.spend(address, hello.key);
    if (!spent) return defer(socket, deferredTooOften);
    const proof = await reader.next('proof');
    onProof();
    if (!proof) return closeWith(socket, 4_000, 'not understood');
    const messages = { hello, challenge, proof, address };
    if (!isProofValid(messages, deps)) return refuse(socket, badProof);
    spent.giveBack();
    if (!reconnects.allow(hello.key)) return defer(socket, deferredTooOften);
    const admitted = await admitInOrder(messages);
    if (!('kind' in admitted)) {
      violations.exempt(address);
      hellos.admitted(hello.key);
      return { ...admitted, key: hello.key, version: hello.version, address };
    }
    hellos.spend(address, hello.key); // anyone who makes up keys can prove them as well
    return refuse(socket, admitted);
  }

  return {
    isBlocked: (address) => violations.isBlocked(address),
    async run(socket, rawSocket, address) {
      const stopCounting = limitBytes(rawSocket, maxHandshakeBytes, () => violations.record(address));
      const timer = setTimeout(() => socket.close(4_008, 'too slow'), handshakeTimeoutMs);
      try {
        return await authenticate(socket, address, () => clearTimeout(timer));
      } catch (error) {
        deps.log.error({ err: error }, 'could not admit a device');
        return closeWith(socket, 1_011, 'try again');
      } finally {
        clearTimeout(timer);
        stopCounting();
      }
    },
  };
}
