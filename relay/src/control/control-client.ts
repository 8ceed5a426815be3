/** The server's side of a control connection: connects to a relay that runs alone, proves both keys, and connects again when it is lost. */
import { createHash, randomBytes } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { leaveCodes, relayCloseCodes } from '@drawbridge/contract/close-codes';
import {
  controlPath,
  controlProtocol,
  controlStatement,
  controlVersion,
  maxControlBytes,
  parseControl,
  relayMessages,
  type RelayMessage,
  type ServerControlMessage,
} from '@drawbridge/contract/session/relay-control';
import { WebSocket } from 'ws';
import { watchControlSocket } from './heartbeat.ts';
import { isControlSignature, type ControlKey } from './signing-key.ts';

interface ControlClientOptions {
  /** The origin of the relay, as wss://… */
  url: string;
  relayKey: string;
  server: ControlKey;
  /** The name of this node in tickets; empty for a server that is alone. */
  node: string;
  /** What the relay is told when the connection begins. */
  introduce(): { origin: string; pairs: string[] };
  /** `isTrusted`: an authority that this process trusts has signed the certificate of the relay. */
  onMessage(message: Exclude<RelayMessage, { kind: 'challenge' }>, isTrusted: boolean): void;
  /** Called once for each connection that had begun, and with why for each attempt that failed. */
  onDown(why: string): void;
}

interface ControlClient {
  /** Does nothing while the relay is away. */
  send(message: Extract<ServerControlMessage, { kind: 'close' | 'release' }>): void;
  close(): void;
}

const connectTimeoutMs = 5_000;
const retryMs = { first: 250, most: 3_000 };

export function createControlClient(options: ControlClientOptions): ControlClient {
  let current: WebSocket | undefined;
  let retry: NodeJS.Timeout | undefined;
  let delayMs = retryMs.first;
  let isClosed = false;
  const connect = (): void => {
    const { socket, isWelcome } = dial(options);
    current = socket;
    socket.once('close', () => {
      current = undefined;
      if (isClosed) return;
      delayMs = isWelcome() ? retryMs.first : Math.min(delayMs * 2, retryMs.most);
      retry = setTimeout(connect, delayMs);
    });
  };
  connect();
  return {
    send(message) {
      if (current?.readyState === WebSocket.OPEN) current.send(JSON.stringify(message));
    },
    close() {
      isClosed = true;
      clearTimeout(retry);
      current?.close(leaveCodes.left);
    },
  };
}

const openSocket = (url: string): WebSocket =>
  new WebSocket(`${url}${controlPath}`, controlProtocol, {
    perMessageDeflate: false,
    maxPayload: maxControlBytes,
    handshakeTimeout: connectTimeoutMs,
    rejectUnauthorized: false, // the relay signs its certificate, or a trusted authority did
  });

function dial(options: ControlClientOptions) {
  const socket = openSocket(options.url);
  let [why, certificate] = ['the relay cannot be reached', ''];
  let [isTrusted, isProved, isWelcome] = [false, false, false];
  const nonce = randomBytes(32).toString('base64url');
  const fail = (reason: string): void => {
    why = reason;
    socket.terminate();
  };
  const timer = setTimeout(() => fail('the relay did not answer in time'), connectTimeoutMs);
  socket.once('upgrade', (response) => {
    const tls = response.socket as TLSSocket;
    isTrusted = tls.authorized;
    certificate = digestOf(tls.getPeerX509Certificate()?.raw);
  });
  socket.once('open', () => send(socket, helloOf(options, nonce)));
  socket.on('error', (error) => void (why = error.message));
  socket.on('close', (code, reason) => {
    clearTimeout(timer);
    options.onDown(isWelcome ? 'the connection was lost' : whyClosed(code, reason) || why);
  });
  socket.on('message', (data) => {
    const message = parseControl(relayMessages, (data as Buffer).toString());
    if (!message) return fail('the relay sent an invalid message');
    if (message.kind === 'challenge') {
      const proof = proofOf(options, nonce, message, isTrusted ? message.certificate : certificate);
      if (!proof) return fail('the relay does not have the key in the settings');
      isProved = true;
      return send(socket, proof);
    }
    if (!isProved) return fail('the relay did not prove its key');
    if (message.kind === 'welcome') {
      isWelcome = true;
      clearTimeout(timer);
      watchControlSocket(socket);
    }
    options.onMessage(message, isTrusted);
  });
  return { socket, isWelcome: () => isWelcome };
}

const whyClosed = (code: number, reason: Buffer): string =>
  code === relayCloseCodes.refused.code
    ? 'the relay does not know the key of this server'
    : reason.toString();

const digestOf = (certificate: Buffer | undefined): string =>
  createHash('sha256')
    .update(certificate ?? '')
    .digest('base64url');

const send = (socket: WebSocket, message: ServerControlMessage): void => socket.send(JSON.stringify(message));

const helloOf = ({ server, node }: ControlClientOptions, nonce: string): ServerControlMessage => ({
  kind: 'hello',
  version: controlVersion,
  key: server.publicKey,
  node,
  nonce,
});

/** Undefined if it is not the relay of the settings, or another certificate than its own was presented. */
function proofOf(
  { relayKey, server, node, introduce }: ControlClientOptions,
  serverNonce: string,
  { key, nonce: relayNonce, certificate, signature }: Extract<RelayMessage, { kind: 'challenge' }>,
  expectedCertificate: string,
): ServerControlMessage | undefined {
  const parts = { serverKey: server.publicKey, relayKey, node, serverNonce, relayNonce, certificate };
  if (key !== relayKey || certificate !== expectedCertificate) return undefined;
  if (!isControlSignature(relayKey, controlStatement('relay', parts), signature)) return undefined;
  return { kind: 'proof', signature: server.sign(controlStatement('server', parts)), ...introduce() };
}
