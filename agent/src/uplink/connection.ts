/** One connection to the gateway: both sides prove their identity, then the agent runs commands until the connection ends. */
import type { TLSSocket } from 'node:tls';
import { leaveCodes } from '@drawbridge/contract/close-codes';
import type { Hardware } from '@drawbridge/contract/hardware';
import type { CommandAnswer } from '@drawbridge/contract/uplink/commands';
import type { Facts, Fingerprint } from '@drawbridge/contract/uplink/facts';
import {
  downMessages,
  downKindsByState,
  maxUpBytes,
  readMessage,
  uplinkPath,
  uplinkProtocol,
  type DownMessage,
  type UpMessage,
} from '@drawbridge/contract/uplink/messages';
import { currentVersion } from '@drawbridge/contract/uplink/versions';
import { WebSocket, type ClientOptions } from 'ws';
import { newNonce } from './keys.ts';
import { proofFor, type Credentials } from './proof.ts';
import { startSilenceTimer, type SilenceTimer } from './silence-timer.ts';
import { checkCertificate, type CertificateCheck } from './trust.ts';

type Welcome = Extract<DownMessage, { kind: 'welcome' }>;

export interface ConnectOptions {
  server: string;
  credentials: Credentials;
  facts: Facts;
  fingerprint: Fingerprint;
  /** How to connect if there is no direct route, for example through a proxy. */
  socketOptions?: ClientOptions;
  /**
   * Called when the server has accepted the device. The epoch and the server's key must be on disk when this returns.
   * `certificate` is the SHA-256 of the server's certificate, which the server has proved to be its own.
   */
  onWelcome(welcome: Welcome, serverKey: string, certificate: string): void;
  onCommand(name: string, input: unknown): Promise<CommandAnswer>;
  /** Whether to move to another address of the server on request; without this function the device stays. */
  mayMove?(to: string): boolean;
  /** Called once the server has accepted the device. */
  onReady?(uplink: UplinkHandle): void;
  /** Ends the connection, also while it is still being established. */
  signal?: AbortSignal;
  /** The TLS session of the previous connection, which shortens the handshake. */
  session?: TlsSession | undefined;
}

export interface UplinkHandle {
  /** Stops receiving without closing the connection, like a device whose network has failed. */
  freeze(): void;
  sendFacts(facts: Facts): void;
  sendHardware(hardware: Hardware): void;
  sendUpdate(report: Omit<Extract<UpMessage, { kind: 'update' }>, 'kind'>): void;
  close(): void;
}

/** Why a connection ended, and what the server said about reconnecting. */
export interface UplinkOutcome {
  welcomed: boolean;
  refused?: Extract<DownMessage, { kind: 'refused' }>;
  move?: Extract<DownMessage, { kind: 'move' }>;
  /** The TLS session for the next connection; only of a server that has proved its identity. */
  session?: TlsSession | undefined;
  reason: string;
}

/** Only the server that created the session can resume it. */
interface TlsSession {
  ticket: Buffer;
  /** SHA-256 of the server's certificate, base64url. A resumed session does not show the certificate again. */
  certificate: string;
}

/** The timeout of each step until the device is accepted. A server that has just started must accept its whole fleet. */
const stepTimeoutMs = 30_000;
/** How long the server may take to close the connection. */
const closeTimeoutMs = 3_000;
/** How long after two missed heartbeats the server counts as lost. */
const silenceGraceSeconds = 5;

export function connectOnce(options: ConnectOptions): Promise<UplinkOutcome> {
  const socket = new WebSocket(new URL(uplinkPath, options.server.replace(/^http/, 'ws')), uplinkProtocol, {
    perMessageDeflate: false,
    maxPayload: 256 * 1_024,
    handshakeTimeout: stepTimeoutMs,
    closeTimeout: closeTimeoutMs,
    rejectUnauthorized: false, // verifyCertificate checks it before anything is sent
    session: options.session?.ticket,
    ...options.socketOptions,
  } as ClientOptions);
  return runProtocol(socket, options);
}

interface State {
  socket: WebSocket;
  options: ConnectOptions;
  outcome: UplinkOutcome;
  nonce: string;
  tlsSocket: TLSSocket | undefined;
  certificateCheck: CertificateCheck;
  /** Set once the server has proved its identity; until then the agent obeys nothing it says. */
  serverKey: string;
  hasFailed: boolean;
  silenceTimer: SilenceTimer;
}

function runProtocol(socket: WebSocket, options: ConnectOptions): Promise<UplinkOutcome> {
  const ended = Promise.withResolvers<UplinkOutcome>();
  const state: State = {
    socket,
    options,
    outcome: { welcomed: false, reason: 'the connection ended' },
    nonce: newNonce(),
    tlsSocket: undefined,
    certificateCheck: { shown: '', trusted: 'no' },
    serverKey: '',
    hasFailed: false,
    silenceTimer: startSilenceTimer(stepTimeoutMs, () => fail(state, 'the server stopped responding')),
  };
  socket.on('upgrade', (response) => verifyCertificate(state, response.socket as TLSSocket));
  socket.on('open', () => send(socket, helloOf(options.credentials, state.nonce)));
  socket.on('ping', () => state.silenceTimer.restart());
  socket.on('message', (data, isBinary) => {
    if (!state.hasFailed) receive(state, isBinary ? undefined : (data as Buffer).toString());
  });
  socket.on('error', (error) => void (state.hasFailed || (state.outcome.reason = error.message)));
  const stop = (): void =>
    state.outcome.welcomed ? socket.close(leaveCodes.left) : fail(state, 'the agent is stopping');
  options.signal?.addEventListener('abort', stop);
  if (options.signal?.aborted) stop();
  socket.on('close', () => {
    state.silenceTimer.stop();
    options.signal?.removeEventListener('abort', stop);
    ended.resolve(state.outcome);
  });
  return ended.promise;
}

const send = (socket: WebSocket, message: UpMessage): void => socket.send(JSON.stringify(message));

function fail(state: State, reason: string): void {
  if (!state.hasFailed) state.outcome.reason = reason;
  state.hasFailed = true;
  state.socket.terminate();
}

function verifyCertificate(state: State, tlsSocket: TLSSocket): void {
  const { session, credentials } = state.options;
  const resumed = tlsSocket.isSessionReused?.() ? session : undefined;
  state.tlsSocket = tlsSocket;
  state.certificateCheck = resumed
    ? { shown: resumed.certificate, trusted: 'yes' }
    : checkCertificate(tlsSocket, credentials);
  if (state.certificateCheck.trusted === 'no') fail(state, 'the certificate of the server is not trusted');
}

function receive(state: State, text: string | undefined): void {
  state.silenceTimer.restart();
  const message = text === undefined ? undefined : readMessage(downMessages, text, expectedKinds(state));
  if (!message) fail(state, 'the server sent an invalid message');
  else if (message === 'unexpected') fail(state, 'the server sent a message out of order');
  else (messageHandlers[message.kind] as MessageHandler<DownMessage>)(state, message);
}

function expectedKinds({ outcome, serverKey }: State): readonly DownMessage['kind'][] {
  if (outcome.welcomed) return downKindsByState.welcomed;
  return serverKey === '' ? downKindsByState.unproved : downKindsByState.proved;
}

type MessageHandler<Message> = (state: State, message: Message) => void;

const messageHandlers: {
  [Kind in DownMessage['kind']]: MessageHandler<Extract<DownMessage, { kind: Kind }>>;
} = {
  challenge(state, message) {
    const { socket, nonce, certificateCheck, options } = state;
    const proof = proofFor(message, { nonce, certificateCheck, options });
    if ('refused' in proof) return fail(state, proof.refused);
    state.serverKey = message.key;
    send(socket, proof);
  },
  welcome(state, message) {
    const { socket, outcome, options, certificateCheck, serverKey } = state;
    outcome.welcomed = true;
    outcome.session = tlsSessionOf(state.tlsSocket, certificateCheck);
    options.onWelcome(message, serverKey, certificateCheck.shown);
    send(socket, { kind: 'kept', epoch: message.epoch });
    state.silenceTimer.setTimeout((2 * message.heartbeat_seconds + silenceGraceSeconds) * 1_000);
    options.onReady?.(createUplinkHandle(socket));
  },
  command({ socket, options }, { number, name, input, trace }) {
    void answerCommand(socket, { number, isTimed: trace !== undefined }, options.onCommand(name, input));
  },
  move({ socket, outcome, options }, message) {
    if (message.server !== undefined && !options.mayMove?.(message.server)) return;
    outcome.move = message;
    if (message.server === undefined) return;
    outcome.reason = `the server asked the agent to move to ${message.server}`;
    socket.close(leaveCodes.left);
  },
  refused(state, message) {
    // A refusal by a server that has not proved its identity ends the connection, but has no other effect.
    if (state.serverKey === '') return fail(state, message.message);
    state.outcome.refused = message;
    state.outcome.reason = message.message;
  },
};

async function answerCommand(
  socket: WebSocket,
  { number, isTimed }: { number: number; isTimed: boolean },
  work: Promise<CommandAnswer>,
): Promise<void> {
  const started = performance.now();
  const answer = await work;
  const time = isTimed && { ms: Math.round(performance.now() - started) };
  if (socket.readyState === WebSocket.OPEN)
    socket.send(fitAnswer({ kind: 'answer', number, ...answer, ...time }));
}

const helloOf = ({ publicKey: key, token, epoch }: Credentials, nonce: string): UpMessage => ({
  kind: 'hello',
  version: currentVersion,
  key,
  nonce,
  ...(token && { token }),
  ...(epoch && { epoch }),
});

/** Replaces an answer that is too long, because the gateway would close the connection. */
function fitAnswer(answer: Extract<UpMessage, { kind: 'answer' }>): string {
  const text = JSON.stringify(answer);
  if (Buffer.byteLength(text) <= maxUpBytes) return text;
  const { kind, number } = answer;
  return JSON.stringify({ kind, number, refused: 'The answer from the device is too long.' });
}

const createUplinkHandle = (socket: WebSocket): UplinkHandle => ({
  freeze: () => socket.pause(),
  sendFacts: (facts) => send(socket, { kind: 'facts', facts }),
  sendHardware: (hardware) => send(socket, { kind: 'hardware', hardware }),
  sendUpdate: (report) => send(socket, { kind: 'update', ...report }),
  close: () => socket.close(leaveCodes.left),
});

function tlsSessionOf(socket: TLSSocket | undefined, { shown }: CertificateCheck): TlsSession | undefined {
  const ticket = socket?.getSession?.();
  return ticket && { ticket, certificate: shown };
}
