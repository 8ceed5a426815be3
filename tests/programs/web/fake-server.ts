/**
 * A small fake server for the browser's side: the built pages over HTTPS, a real relay, and a device that
 * tests play themselves.
 */
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { relayPath, type OpenReply, type SessionSubject } from '@drawbridge/contract/session/open';
import { playerPaths } from '@drawbridge/contract/session/player';
import {
  encodeBody,
  signedBytes,
  withSignature,
  type Grant,
  type Purpose,
  type Statement,
} from '@drawbridge/contract/session/signed';
import { createRelay, type Relay } from '@drawbridge/relay/relay';
import { createClock } from '@drawbridge/session/clock';
import { acceptSession, type DeviceSession, type SessionRequest } from '@drawbridge/web/join/accept-session';
import type { SigningKey } from '@drawbridge/session/ports';
import { isProblem } from '@drawbridge/contract/session/problem';
import { makeKeyPair } from '../../kit/server/proxies.ts';
import { closeListener, listen, type Listener } from './fake-listener.ts';
import { servePageFile } from './page-files.ts';
import { createSigningKey } from '../session/create-signing-key.ts';

export interface FakeServer extends AsyncDisposable {
  /** The address for the browser. */
  url: string;
  /** The same without TLS, for code that runs in Node. */
  plain: string;
  /** What was posted, in order, without the requests for relays. */
  posts: { path: string; body: Record<string, unknown> }[];
  /** Which key the server names for the device, and which it signs with. */
  deviceKey: SigningKey;
  signingKey: SigningKey | undefined;
  permissions: string[];
  /** The number of the sessions that it opens and resumes. */
  session: number;
  record: boolean;
  mayRecord: boolean;
  /** Required of the device by its grant. */
  recordTo: Grant['record'];
  /** Refuses to open or resume, with this code. */
  refusal: string | undefined;
  /** The link that connects again; without one the server gives none. */
  again: string | undefined;
  /** The site that may show the pages in a frame. */
  framedBy: string | undefined;
  /** Closes the connection of every request to open or resume. */
  isAway: boolean;
  /** The answer to a request for a recording: an empty one, or this HTTP status code instead. */
  recording: number;
  /** Takes the session instead of `nextDevice`. */
  receive: ((request: SessionRequest, serverKey: string) => Promise<void>) | undefined;
  /** The device's end of the next session. */
  nextDevice(): Promise<DeviceSession>;
  /** Cuts every connection, as a network failure does. */
  cut(): void;
  relay: Relay;
  /** Of the pairing opened last. */
  pair: string;
}

const random = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64url');

export const allPermissions = [
  'agent_connect',
  'agent_control',
  'agent_clipboard',
  'agent_chat',
  'agent_terminal_mode',
  'agent_file_transfer',
  'agent_audio_calls',
  'agent_lock_screen',
  'agent_lock_input',
  'agent_reboot',
  'agent_program_list',
  'agent_app_install_request',
];

/** What tests change, as it is at the start. */
const initialBehaviour = {
  signingKey: undefined,
  permissions: allPermissions,
  session: 7,
  record: false,
  mayRecord: false,
  recordTo: undefined,
  refusal: undefined,
  again: undefined,
  framedBy: undefined,
  isAway: false,
  recording: 200,
  receive: undefined,
};

export async function startFakeServer(): Promise<FakeServer> {
  const serverKey = await createSigningKey();
  const secure = await listen(createSecure(await makeKeyPair()), 'https');
  const plain = await listen(createPlain(), 'http');
  const relay = createRelay({
    serverKeys: [serverKey.publicKey],
    origins: [secure.url],
    now: () => Math.floor(Date.now() / 1_000),
  });
  const devices = queue<DeviceSession>();
  const sockets = new Set<Duplex>();
  const fakeServer: FakeServer = {
    ...initialBehaviour,
    url: secure.url,
    plain: plain.url,
    posts: [],
    deviceKey: await createSigningKey(),
    nextDevice: devices.take,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    relay,
    pair: '',
    async [Symbol.asyncDispose]() {
      await relay.closeAll();
      await closeListener(secure);
      await closeListener(plain);
    },
  };
  const opener = { fakeServer, serverKey, put: devices.put };
  for (const listener of [secure, plain]) serve(opener, listener, sockets);
  return fakeServer;
}

function serve(opener: SessionOpener, { server, url }: Listener, sockets: Set<Duplex>): void {
  server.on('request', (request, response) => void answer(opener, url, request, response));
  server.on('upgrade', (request, socket, head) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const address = { narrow: '127.0.0.1', wide: '127.0.0.1' };
    if (!opener.fakeServer.relay.upgrade(request, socket, head, address)) socket.destroy();
  });
}

function queue<T>(): { put(item: T): void; take(): Promise<T> } {
  const [items, waiting]: [T[], ((item: T) => void)[]] = [[], []];
  return {
    put: (item) => (waiting.length > 0 ? waiting.shift()!(item) : items.push(item)),
    take: () =>
      items.length > 0 ? Promise.resolve(items.shift()!) : new Promise((resolve) => waiting.push(resolve)),
  };
}

interface SessionOpener {
  fakeServer: FakeServer;
  serverKey: SigningKey;
  /** Hands the device's end of a session to the test. */
  put(device: DeviceSession): void;
}

async function sign<Name extends Purpose>(
  { serverKey }: SessionOpener,
  purpose: Name,
  statement: Statement<Name>,
): Promise<string> {
  const body = encodeBody(purpose, statement);
  return withSignature(body, await serverKey.sign(signedBytes(purpose, body)));
}

const relayAt = (base: string): string => `${base.replace('http', 'ws')}${relayPath}`;

/** Signs what a server signs, and connects the device. */
async function openSession(opener: SessionOpener, operatorKey: string, url: string): Promise<OpenReply> {
  const { fakeServer, serverKey } = opener;
  const { permissions, deviceKey, record, session } = fakeServer;
  const now = Math.floor(Date.now() / 1_000);
  const shared = { v: 1 as const, pair: random(16), permissions, exp: now + 60 };
  fakeServer.pair = shared.pair;
  const grant = await sign(opener, 'grant', {
    ...shared,
    session,
    device_key: deviceKey.publicKey,
    operator_key: operatorKey,
    operator: { name: 'Olga Operator', address: '127.0.0.1' },
    confirm: false,
    record: fakeServer.recordTo,
    nbf: now,
    nonce: random(16),
  });
  const ticket = await sign(opener, 'ticket', { ...shared, side: 'device' });
  connectDevice(opener, { grant, ticket, relay: relayAt(fakeServer.plain) });
  return {
    session,
    secret: 'the-secret-of-session-7',
    ticket: await sign(opener, 'ticket', { ...shared, side: 'operator' }),
    relay: relayAt(url),
    pair: shared.pair,
    server_key: serverKey.publicKey,
    device: { id: 12, name: 'Reception desk', os: 'linux', key: deviceKey.publicKey },
    permissions,
    record,
    may_record: fakeServer.mayRecord,
    name: 'Olga Operator',
  };
}

function connectDevice({ fakeServer, serverKey, put }: SessionOpener, request: SessionRequest): void {
  const { deviceKey, signingKey, receive } = fakeServer;
  if (receive) return void receive(request, serverKey.publicKey);
  const key = { publicKey: deviceKey.publicKey, sign: (signingKey ?? deviceKey).sign };
  const options = { key, serverKey: serverKey.publicKey, clock: createClock() };
  void acceptSession(request, options).then((device) => isProblem(device) || put(device));
}

const shownSubject: SessionSubject = {
  name: 'Reception desk',
  owner: 'olga@example.com',
  brand: { name: '', logo: '', accent: '' },
  record: false,
};

const emptyRecording = { session: 7, name: 'Reception desk', operator: '', start: 1, takes: [] };

async function answer(
  opener: SessionOpener,
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { fakeServer } = opener;
  const path = request.url ?? '/';
  const json = (http: number, body: unknown): void =>
    void response.writeHead(http, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  if (path.startsWith(`${playerPaths.data}/`)) return json(fakeServer.recording, emptyRecording);
  if (request.method !== 'POST') return servePageFile(path, response, fakeServer.framedBy);
  const body = JSON.parse(await text(request)) as Record<string, string>;
  if (path === '/session/relays') return json(200, { relays: [] });
  fakeServer.posts.push({ path, body });
  if (path === '/session/note' || path === '/session/record') return json(200, {});
  if (path === '/session/show') return json(200, shownSubject);
  const { refusal, again } = fakeServer;
  if (path === '/session/again' && body['check']) return json(200, { may: again !== undefined });
  if (path === '/session/again' && again !== undefined) return json(200, { url: again });
  if (path === '/session/again') return json(403, { error: { code: 'forbidden', message: '' } });
  if (fakeServer.isAway) return void request.socket.destroy();
  if (refusal !== undefined) return json(403, { error: { code: refusal, message: `It is ${refusal}.` } });
  return json(200, await openSession(opener, body['key']!, url));
}
