/** The baseline: a bare `ws` server over TLS with the same handshake as ours, but without storage. */
import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  agentStatement,
  serverStatement,
  uplinkPath,
  type DownMessage,
  type UpMessage,
} from '@drawbridge/contract/uplink/messages';
import { WebSocketServer, type WebSocket } from 'ws';

export interface BareServerSetup {
  certFile: string;
  keyFile: string;
  /** SHA-256 of the certificate, base64url. */
  certificate: string;
  /** The server's own Ed25519 key, in PEM. */
  identity: string;
  port: number;
}

const heartbeatSeconds = 12;
const newNonce = (): string => randomBytes(32).toString('base64url');
const sendDown = (socket: WebSocket, message: DownMessage): void => socket.send(JSON.stringify(message));

interface BareDevice {
  socket: WebSocket;
  askAt: number;
  heardAt: number;
  waiting: Map<number, () => void>;
}

const devices = new Map<number, BareDevice>();
let [lastDevice, lastCommand] = [0, 0];

function performHandshake(socket: WebSocket, { identity, certificate }: BareServerSetup): void {
  const privateKey = createPrivateKey(identity);
  const serverKey = createPublicKey(identity).export({ format: 'jwk' }).x!;
  const serverNonce = newNonce();
  let hello: Extract<UpMessage, { kind: 'hello' }> | undefined;
  socket.on('error', () => socket.terminate());
  socket.on('message', function receive(data) {
    const message = JSON.parse((data as Buffer).toString()) as UpMessage;
    if (message.kind === 'hello') {
      hello = message;
      const parts = { serverNonce, agentNonce: hello.nonce, agentKey: hello.key, certificate };
      const signature = sign(null, Buffer.from(serverStatement(parts)), privateKey).toString('base64url');
      return sendDown(socket, {
        kind: 'challenge',
        nonce: serverNonce,
        key: serverKey,
        certificate,
        signature,
      });
    }
    if (message.kind !== 'proof' || !hello) return socket.terminate();
    const statement = agentStatement({ serverNonce, agentNonce: hello.nonce, serverKey });
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: hello.key } });
    const signature = Buffer.from(message.signature, 'base64url');
    if (!verify(null, Buffer.from(statement), key, signature)) return socket.terminate();
    socket.off('message', receive);
    welcome(socket);
  });
}

function welcome(socket: WebSocket): void {
  const id = ++lastDevice;
  const now = performance.now();
  const device: BareDevice = {
    socket,
    askAt: now + heartbeatSeconds * 1_000,
    heardAt: now,
    waiting: new Map(),
  };
  devices.set(id, device);
  socket.once('close', () => devices.delete(id));
  socket.on('pong', () => (device.heardAt = performance.now()));
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as UpMessage;
    if (message.kind === 'answer') device.waiting.get(message.number)?.();
  });
  const epoch = newNonce();
  const known = { id, device_id: id, owner: 'bare', name: 'bare', epoch, approved: true };
  sendDown(socket, { kind: 'welcome', ...known, heartbeat_seconds: heartbeatSeconds });
}

function sendHeartbeats(): void {
  const now = performance.now();
  for (const device of devices.values()) {
    if (device.heardAt < now - 25_000) device.socket.terminate();
    else if (device.askAt <= now) {
      device.askAt = now + heartbeatSeconds * 1_000;
      device.socket.ping();
    }
  }
}

/** `/lock/7` sends the lock command to device 7 and responds after its answer. Other paths are answered immediately. */
const answer: RequestListener = (request, response) => {
  const [, id] = /^\/lock\/(\d+)$/.exec(request.url!) ?? [];
  const device = devices.get(Number(id));
  const number = ++lastCommand;
  const done = (): void => void response.end('{"status":0}');
  if (!device) return done();
  device.waiting.set(number, () => {
    device.waiting.delete(number);
    done();
  });
  sendDown(device.socket, { kind: 'command', number, name: 'lock', input: {} });
};

process.once('message', (setup: BareServerSetup) => {
  const files = { cert: readFileSync(setup.certFile), key: readFileSync(setup.keyFile) };
  const server = createServer(files, answer);
  const sockets = new WebSocketServer({
    server,
    path: uplinkPath,
    perMessageDeflate: false,
    clientTracking: false,
  });
  sockets.on('connection', (socket) => performHandshake(socket, setup));
  setInterval(sendHeartbeats, 1_000);
  server.listen(setup.port, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit(0));
