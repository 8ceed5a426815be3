/**
 * The server under attack: the real program with TLS and metrics, and everything an authorised attacker needs
 * to hold connections.
 */
import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { encodeBody, signedBytes, toBase64url, withSignature } from '@drawbridge/contract/session/signed';
import type { Side } from '@drawbridge/contract/session/frame-kinds';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import SqliteDatabase from 'better-sqlite3';
import { joinRelay, openSessionLink, startFakeDevice, type FakeDevice } from '../kit/session/session-ends.ts';
import { openPanelClient } from '../kit/server/panel.ts';
import { eventually } from '../kit/eventually.ts';
import { createDataFolder, launchServer, type LaunchedServer } from '../lifecycle/launched-server.ts';

/** What attackers know, as plain data: unauthenticated ones use none of it. */
export interface AttackSecrets {
  port: number;
  metricsPort: number;
  apiKey: string;
  /** Of a person who is signed in at the panel. */
  cookie: string;
  /** Allows any number of devices to enrol. */
  enrolSecret: string;
  /** A file that is larger than the buffers between two sockets. */
  fileId: number;
  agentId: number;
  /** Where a device may upload the recording of its session, and with which token. */
  upload: { path: string; token: string };
  /** Invitations that nobody has joined yet. */
  codes: string[];
  /** The key with which the server signs tickets for the relay, as PEM. */
  signingKey: string;
}

export interface AttackFixture extends AsyncDisposable {
  server: LaunchedServer;
  secrets: AttackSecrets;
  /** Open file descriptors of the server, which include its connections. */
  openFiles(): number;
  megabytes(): number;
}

/** Loopback addresses that the server trusts as proxies. */
const proxyNetwork = '127.0.2.0/24';
const fileBytes = 24 * 1_024 * 1_024;
const invitationsAtOnce = 20;

export async function openAttackFixture(invitations: number): Promise<AttackFixture> {
  const stack = new AsyncDisposableStack();
  const { folder } = stack.use(createDataFolder());
  const metricsPort = await freePort();
  const server = stack.use(
    await launchServer({
      DRAWBRIDGE_DATA: folder,
      DRAWBRIDGE_METRICS_LISTEN: `127.0.0.1:${metricsPort}`,
      DRAWBRIDGE_TRUSTED_PROXIES: proxyNetwork,
    }),
  );
  const secrets = { ...(await prepare(server, stack, invitations)), metricsPort, signingKey: keyIn(folder) };
  const status = (): string => readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return {
    server,
    secrets,
    openFiles: () => readdirSync(`/proc/${server.pid}/fd`).length,
    megabytes: () => Number(/VmRSS:\s+(\d+)/.exec(status())![1]) / 1_024,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function prepare(server: LaunchedServer, stack: AsyncDisposableStack, invitations: number) {
  const { token } = await call(server, 'POST', 'agents/enroll/create', JSON.stringify({ uses: 100_000 }));
  const device = stack.use(await startFakeDevice(server.testClient.baseUrl, token!));
  await eventually(
    () => call(server, 'GET', `agents/info?agent_id=${device.id}`),
    ({ data }) => data?.online === true,
  );
  const upload = await openRecordedSession(server, stack, device);
  const large = `agents/files/add?agent_id=${device.id}&name=large`;
  const file = await call(server, 'POST', large, Buffer.alloc(fileBytes));
  return {
    port: server.port,
    apiKey: server.apiKey!,
    cookie: await signIn(server),
    enrolSecret: parseEnrolmentToken(token!)!.secret,
    agentId: device.id,
    fileId: file.id!,
    upload,
    codes: await createInvitations(server, invitations),
  };
}

interface ApiReply {
  id?: number;
  token?: string;
  data?: { online?: boolean; url?: string; invite_code?: string };
}

async function call(
  { testClient, apiKey }: LaunchedServer,
  method: string,
  path: string,
  body?: string | Buffer,
): Promise<ApiReply> {
  const request = { method, path: `/v1/${path}`, headers: { 'X-Api-Key': apiKey! } };
  const { http, text } = await testClient.send({ ...request, ...(body !== undefined && { body }) });
  if (http !== 200) throw new Error(`${path}: ${http} ${text}`);
  return JSON.parse(text) as ApiReply;
}

/** Its recording may be uploaded while it runs. */
async function openRecordedSession(
  server: LaunchedServer,
  stack: AsyncDisposableStack,
  { id, grants }: FakeDevice,
): Promise<AttackSecrets['upload']> {
  const { testClient } = server;
  const link = await call(server, 'POST', `agents/connect?agent_id=${id}&video=true`);
  const config = { publicUrl: testClient.baseUrl };
  const opened = await openSessionLink({ testClient, server: { config } as never }, link.data!.url!);
  await stack.use(joinRelay(opened)).paired;
  const { url, token } = grants[0]!.record!;
  return { path: new URL(url).pathname, token };
}

async function createInvitations(server: LaunchedServer, count: number): Promise<string[]> {
  const create = async (): Promise<string> =>
    (await call(server, 'POST', 'support/create')).data!.invite_code!;
  const codes: string[] = [];
  while (codes.length < count)
    codes.push(...(await Promise.all(Array.from({ length: invitationsAtOnce }, create))));
  return codes;
}

/** By the link that the first start prints. */
async function signIn({ testClient, welcome }: LaunchedServer): Promise<string> {
  const config = { publicUrl: testClient.baseUrl };
  const browser = openPanelClient({ testClient, server: { config } as never });
  const [, token] = /\/sign-in\/([\w-]+)/.exec(welcome)!;
  await browser.ask('sign-in/link', { token });
  return browser.cookie!;
}

function keyIn(folder: string): string {
  const store = new SqliteDatabase(join(folder, 'drawbridge.db'), { readonly: true });
  const { private_key: key } = store.prepare('select private_key from server_identity').get() as {
    private_key: string;
  };
  store.close();
  return key;
}

/** A ticket as the server makes it. */
export function ticketOf(key: KeyObject, pair: string, side: Side): string {
  const exp = Math.floor(Date.now() / 1_000) + 60;
  const permissions = ['agent_connect', 'agent_control'];
  const body = encodeBody('ticket', { v: 1, pair, side, permissions, exp });
  return withSignature(body, sign(null, signedBytes('ticket', body), key));
}

export const pairNamed = (number: number): string => {
  const bytes = new Uint8Array(16);
  crypto.getRandomValues(bytes);
  new DataView(bytes.buffer).setUint32(0, number);
  return toBase64url(bytes);
};

export const relaySigningKey = ({ signingKey }: AttackSecrets): KeyObject => createPrivateKey(signingKey);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
