/** One connection to the gateway, from hello to the end: both sides prove who they are, then commands are obeyed. */
import type { TLSSocket } from 'node:tls';
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
import { checkCertificate, type CertificateCheck } from './trust.ts';

type Welcome = Extract<DownMessage, { kind: 'welcome' }>;

export interface ConnectOptions {
  server: string;
  credentials: Credentials;
  facts: Facts;
  fingerprint: Fingerprint;
  /** How to connect where there is no straight way, such as through a proxy. */
  socketOptions?: ClientOptions;
  /**
   * The device is in. The epoch and the server's key must be on disk when this returns. `certificate` is the SHA-256 of
   * the one the server shows, which it has proved to be its own.
   */
  onWelcome(welcome: Welcome, serverKey: string, certificate: string): void;
  onCommand(name: string, input: unknown): Promise<CommandAnswer>;
  /** Whether to leave for another address of the server when asked; without it the device stays. */
  mayMove?(to: string): boolean;
  /** Called once the device is in, with the means to say something while the connection lasts. */
  onReady?(uplink: UplinkHandle): void;
  /** Ends the connection, also one that is only being made. */
  signal?: AbortSignal;
  /** The TLS session of the connection before, which spares both sides a part of the handshake. */
  session?: TlsSession | undefined;
}

export interface UplinkHandle {
  /** Hears and says nothing any more without hanging up, as a device does whose network has died. */
  freeze(): void;
  sendFacts(facts: Facts): void;
  sendHardware(hardware: Hardware): void;
  close(): void;
}

/** Why a connection ended, and what the server said about coming back. */
export interface UplinkOutcome {
  welcomed: boolean;
  refused?: Extract<DownMessage, { kind: 'refused' }>;
  move?: Extract<DownMessage, { kind: 'move' }>;
  /** The TLS session, for the next connection; only of a server that has proved who it is. */
  session?: TlsSession | undefined;
  reason: string;
}

/** Whoever can resume it is the server that it was made with. */
export interface TlsSession {
  ticket: Buffer;
  /** SHA-256 of the certificate that was shown then, base64url: when a session is resumed, none is. */
  certificate: string;
}

/** For each step until the device is in: a server that has just started has a whole fleet to let in. */
const stepTimeoutMs = 30_000;
/** How long the server may take to say goodbye. */
const closeTimeoutMs = 3_000;
/** How long after two missed signs of life the server counts as gone. */
const silenceGraceSeconds = 5;

export function connectOnce(options: ConnectOptions): Promise<UplinkOutcome> {
  const socket = new WebSocket(new URL(uplinkPath, options.server.replace(/^http/, 'ws')), uplinkProtocol, {
    perMessageDeflate: false,
    maxPayload: 256 * 1_024,
    handshakeTimeout: stepTimeoutMs,
    closeTimeout: closeTimeoutMs,
    rejectUnauthorized: false, // the certificate is judged by us, before anything is said
    session: options.session?.ticket,
    ...options.socketOptions,
  } as ClientOptions);
  return runProtocol(socket, options);
}

function runProtocol(socket: WebSocket, options: ConnectOptions): Promise<UplinkOutcome> {
  const ended = Promise.withResolvers<UplinkOutcome>();
  const outcome: UplinkOutcome = { welcomed: false, reason: 'the connection ended' };
  const nonce = newNonce();
  let tlsSocket: TLSSocket | undefined;
  let certificateCheck: CertificateCheck = { shown: '', trusted: 'no' };
  /** Of the server that has proved who it is; until then nothing it says is done. */
  let serverKey = '';
  let failed = false;
  const send = (message: UpMessage): void => socket.send(JSON.stringify(message));
  const fail = (reason: string): void => {
    if (!failed) outcome.reason = reason;
    failed = true;
    socket.terminate();
  };
  const answerCommand = async (number: number, work: Promise<CommandAnswer>): Promise<void> => {
    const answer = await work;
    if (socket.readyState === WebSocket.OPEN) socket.send(fitAnswer({ kind: 'answer', number, ...answer }));
  };
  const watch = watchSilence(() => fail('the server stopped responding'));

  const handlers: { [Kind in DownMessage['kind']]: (message: Extract<DownMessage, { kind: Kind }>) => void } =
    {
      challenge(message) {
        const proof = proofFor(message, { nonce, certificateCheck, options });
        if ('problem' in proof) return fail(proof.problem);
        serverKey = message.key;
        send(proof);
      },
      welcome(message) {
        outcome.welcomed = true;
        outcome.session = tlsSessionOf(tlsSocket, certificateCheck);
        options.onWelcome(message, serverKey, certificateCheck.shown);
        send({ kind: 'kept', epoch: message.epoch });
        watch.expect((2 * message.heartbeat_seconds + silenceGraceSeconds) * 1_000);
        options.onReady?.(createUplinkHandle(socket, send));
      },
      command({ number, name, input }) {
        void answerCommand(number, options.onCommand(name, input));
      },
      move(message) {
        if (message.server !== undefined && !options.mayMove?.(message.server)) return;
        outcome.move = message;
        if (message.server === undefined) return;
        outcome.reason = `the server asked the agent to move to ${message.server}`;
        socket.close(1_000);
      },
      refused(message) {
        // From a server that has not proved who it is this is a reason to hang up, but decides nothing.
        if (serverKey === '') return fail(message.message);
        outcome.refused = message;
        outcome.reason = message.message;
      },
    };
  const expected = (): readonly DownMessage['kind'][] =>
    outcome.welcomed
      ? downKindsByState.welcomed
      : serverKey !== ''
        ? downKindsByState.proved
        : downKindsByState.unproved;

  socket.on('upgrade', (response) => {
    tlsSocket = response.socket as TLSSocket;
    const resumed = tlsSocket.isSessionReused?.() ? options.session : undefined;
    certificateCheck = resumed
      ? { shown: resumed.certificate, trusted: 'yes' }
      : checkCertificate(tlsSocket, options.credentials);
    if (certificateCheck.trusted === 'no') fail('the certificate of the server is not trusted');
  });
  socket.on('open', () => send(helloOf(options.credentials, nonce)));
  socket.on('ping', watch.restart);
  socket.on('message', (data, binary) => {
    if (failed) return;
    watch.restart();
    const message = binary ? undefined : readMessage(downMessages, (data as Buffer).toString(), expected());
    if (!message) fail('the server sent an invalid message');
    else if (message === 'unexpected') fail('the server sent a message out of order');
    else (handlers[message.kind] as (message: DownMessage) => void)(message);
  });
  socket.on('error', (error) => void (failed || (outcome.reason = error.message)));
  const end = (): void => (outcome.welcomed ? socket.close(1_000) : fail('the agent is stopping'));
  options.signal?.addEventListener('abort', end);
  if (options.signal?.aborted) end();
  socket.on('close', () => {
    watch.stop();
    options.signal?.removeEventListener('abort', end);
    ended.resolve(outcome);
  });
  return ended.promise;
}

const helloOf = ({ publicKey: key, token, epoch }: Credentials, nonce: string): UpMessage => ({
  kind: 'hello',
  version: currentVersion,
  key,
  nonce,
  ...(token && { token }),
  ...(epoch && { epoch }),
});

/** An answer that is too long for the gateway would end the connection: it is refused here instead. */
function fitAnswer(answer: Extract<UpMessage, { kind: 'answer' }>): string {
  const text = JSON.stringify(answer);
  if (Buffer.byteLength(text) <= maxUpBytes) return text;
  const { kind, number } = answer;
  return JSON.stringify({ kind, number, refused: 'The answer from the device is too long.' });
}

const createUplinkHandle = (socket: WebSocket, send: (message: UpMessage) => void): UplinkHandle => ({
  freeze: () => socket.pause(),
  sendFacts: (facts) => send({ kind: 'facts', facts }),
  sendHardware: (hardware) => send({ kind: 'hardware', hardware }),
  close: () => socket.close(1_000),
});

function tlsSessionOf(wire: TLSSocket | undefined, { shown }: CertificateCheck): TlsSession | undefined {
  const ticket = wire?.getSession?.();
  return ticket && { ticket, certificate: shown };
}

/** Calls out when nothing was heard for too long. */
function watchSilence(onSilence: () => void) {
  let limit = stepTimeoutMs;
  let timer = setTimeout(onSilence, limit);
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onSilence, limit);
  };
  return {
    restart,
    expect(ms: number) {
      limit = ms;
      restart();
    },
    stop: () => clearTimeout(timer),
  };
}
