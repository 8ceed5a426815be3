/**
 * Attacks that hold a thousand connections for nothing: at every listener, with every kind of request and
 * socket.
 */
import { createHash } from 'node:crypto';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import { lobbyPath, lobbyProtocol } from '@drawbridge/contract/session/lobby';
import { chunkHeaders } from '@drawbridge/contract/session/recording';
import { uplinkPath, uplinkProtocol } from '@drawbridge/contract/uplink/messages';
import { cookieName } from '@drawbridge/server/panel/sign-in/cookie';
import { frame, upgradeRequest } from './frames.ts';
import { clientHello, enterAsDevice, makeHello, joinAsClient, showTicket } from './handshakes.ts';
import type { AttackConnection } from './attack-connection.ts';
import type { AttackSecrets } from './fixture.ts';

export interface Attack {
  at: 'service' | 'metrics';
  tls: boolean;
  /** From one address, from many, or from many that the server trusts as proxies. */
  from: 'one' | 'many' | 'proxies';
  begin(connection: AttackConnection, secrets: AttackSecrets): void | Promise<void>;
  /** Sent repeatedly, once a second. */
  drip?(connection: AttackConnection): void;
  /** Opens no connection at all. */
  none?: true;
  /** Stops reading once it has begun. */
  stopsReading?: true;
  /** After how many seconds the server has disconnected all of them; absent if it allows them longer. */
  endsWithin?: number;
}

type Given = Partial<Attack> & Pick<Attack, 'begin'>;
const secure = (given: Given): Attack => ({ at: 'service', tls: true, from: 'many', ...given });
const plain = (given: Given): Attack => secure({ tls: false, ...given });
const metrics = (given: Given): Attack => plain({ at: 'metrics', ...given });

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n`;
const get = (path: string, ...headers: string[]): string =>
  lines(`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '');
/** A body of which nothing has arrived yet. */
const post = (path: string, length: number, ...headers: string[]): string =>
  lines(`POST ${path} HTTP/1.1`, 'Host: localhost', `Content-Length: ${length}`, ...headers, '');
const key = ({ apiKey }: AttackSecrets): string => `X-Api-Key: ${apiKey}`;
const byte = (connection: AttackConnection): void => connection.send('x');
const header = (connection: AttackConnection): void => connection.send('X-More: x\r\n');
const silence = (): void => {};
const ask =
  (path: string, protocol: string) =>
  async (connection: AttackConnection): Promise<void> => {
    connection.send(upgradeRequest(path, protocol));
    await connection.until((received) => received.includes('\r\n\r\n'));
  };
const socket = (
  path: string,
  protocol: string,
  then: (connection: AttackConnection) => void,
  more: Partial<Attack> = {},
): Attack =>
  secure({
    async begin(connection) {
      await ask(path, protocol)(connection);
      then(connection);
    },
    ...more,
  });
const uplink = (then: (connection: AttackConnection) => void, more?: Partial<Attack>): Attack =>
  socket(uplinkPath, uplinkProtocol, then, { endsWithin: 14, ...more });
const lobby = (then: (connection: AttackConnection) => void, more?: Partial<Attack>): Attack =>
  socket(lobbyPath, lobbyProtocol, then, { endsWithin: 14, ...more });
const relay = (then: (connection: AttackConnection) => void, more?: Partial<Attack>): Attack =>
  socket(relayPath, relayProtocol, then, { endsWithin: 9, ...more });
const frameHeader = (connection: AttackConnection): void =>
  connection.send(frame('text', '', { declared: 1_000 }));
const pings = (connection: AttackConnection): void =>
  connection.send(Buffer.concat(Array(200).fill(frame('ping', 'x'.repeat(100)))));
const firstFragment = (connection: AttackConnection): void =>
  connection.send(frame('text', '{', { fin: false }));
const fragment = (connection: AttackConnection): void =>
  connection.send(frame('continuation', ' ', { fin: false }));
const halfClose = (connection: AttackConnection): void => void connection.socket.end();

const connections: Record<string, Attack> = {
  /** The baseline: what honest clients see of the machine itself. */
  'nobody attacks': plain({ begin: silence, none: true }),
  'silent after connecting': plain({ begin: silence, endsWithin: 13 }),
  'silent after connecting, one address': plain({ begin: silence, from: 'one', endsWithin: 13 }),
  'TLS: one byte': plain({ begin: (connection) => connection.send(Buffer.of(0x16)), endsWithin: 28 }),
  'TLS: ClientHello byte by byte': plain({
    begin: (connection) => connection.send(Buffer.of(0x16, 3, 1, 2, 0)),
    drip: (connection) => connection.send(Buffer.of(0)),
    endsWithin: 28,
  }),
  'TLS: silent after the ServerHello': plain({
    async begin(connection) {
      connection.send(await clientHello());
    },
    endsWithin: 28,
  }),
  'TLS: silent after the handshake': secure({ begin: silence, endsWithin: 15 }),
};

const requests: Record<string, Attack> = {
  'headers slowly, HTTPS': secure({
    begin: (connection) => connection.send('GET / HTTP/1.1\r\n'),
    drip: header,
    endsWithin: 15,
  }),
  'headers slowly, plain HTTP': plain({
    begin: (connection) => connection.send('GET / HTTP/1.1\r\n'),
    drip: header,
    endsWithin: 15,
  }),
  'headers slowly, through proxies': plain({
    from: 'proxies',
    begin: (connection) => connection.send('GET / HTTP/1.1\r\nX-Forwarded-Proto: https\r\n'),
    drip: header,
    endsWithin: 15,
  }),
  'silent, from proxies': plain({ from: 'proxies', begin: silence, endsWithin: 13 }),
  'body slowly, with a key': secure({
    begin: (connection, secrets) => connection.send(post('/v1/groups/create', 1_000, key(secrets))),
    drip: byte,
    endsWithin: 36,
  }),
  'body slowly, sign-in page': secure({
    begin: (connection) => connection.send(post('/panel/api/sign-in/password', 1_000)),
    drip: byte,
    endsWithin: 36,
  }),
  'half-closed after half a request': plain({
    begin(connection) {
      connection.send('GET / HTTP/1.1\r\nHost: loc');
      halfClose(connection);
    },
    endsWithin: 5,
  }),
  'kept alive for nothing': secure({
    async begin(connection) {
      connection.send(get('/healthz'));
      await connection.until((received) => received.includes('\r\n\r\nok'));
    },
    endsWithin: 72,
  }),
  'pipelining without reading': secure({
    begin: (connection, secrets) => connection.send(get('/v1/agents/list', key(secrets)).repeat(200)),
    stopsReading: true,
  }),
  'download that is not read': secure({
    begin: (connection, secrets) =>
      connection.send(get(`/v1/agents/files/get?id=${secrets.fileId}`, key(secrets))),
    stopsReading: true,
  }),
  'attached file slowly': secure({
    begin: (connection, secrets) =>
      connection.send(post(`/v1/agents/files/add?agent_id=${secrets.agentId}&name=x`, 1_000, key(secrets))),
    drip: byte,
  }),
  'recording slowly, with its token': secure({
    begin: (connection, { upload }) =>
      connection.send(post(`${upload.path}/0`, 1_000, ...chunk, `Authorization: Bearer ${upload.token}`)),
    drip: byte,
  }),
  'recording slowly, with a wrong token': secure({
    begin: (connection, { upload }) =>
      connection.send(post(`${upload.path}/0`, 1_000, ...chunk, 'Authorization: Bearer wrong')),
    drip: byte,
    endsWithin: 36,
  }),
  'events of the panel, not read': secure({
    begin: (connection, { cookie }) =>
      connection.send(
        get('/panel/api/events', `Cookie: ${cookieName}=${cookie}`, 'Sec-Fetch-Site: same-origin'),
      ),
    stopsReading: true,
  }),
};

const chunk = [
  `${chunkHeaders.key}: ${createHash('sha256').digest('base64url')}`,
  `${chunkHeaders.from}: 0`,
  `${chunkHeaders.to}: 1`,
  `${chunkHeaders.whole}: 1`,
  `${chunkHeaders.last}: 0`,
];

const sockets: Record<string, Attack> = {
  'uplink: silent': uplink(silence),
  'uplink: frame byte by byte': uplink(frameHeader, { drip: byte }),
  'uplink: pings before hello': uplink(silence, { drip: pings }),
  'uplink: fragments': uplink(firstFragment, { drip: fragment }),
  'uplink: half-closed': uplink(halfClose),
  'uplink: hello, then no proof': uplink((connection) => connection.send(makeHello(connection.number))),
  'uplink: welcome, then silent': secure({
    begin: (connection, secrets) => enterAsDevice(connection, secrets, ask(uplinkPath, uplinkProtocol)),
    endsWithin: 32,
  }),
  'uplink: welcome, then pings and no reading': secure({
    begin: (connection, secrets) => enterAsDevice(connection, secrets, ask(uplinkPath, uplinkProtocol)),
    drip: (connection) => connection.send(Buffer.concat(Array(5).fill(frame('ping', 'x'.repeat(125))))),
    stopsReading: true,
  }),
  'lobby: silent': lobby(silence),
  'lobby: frame byte by byte': lobby(frameHeader, { drip: byte }),
  'lobby: pings': lobby(silence, { drip: pings }),
  'lobby: fragments': lobby(firstFragment, { drip: fragment }),
  'lobby: joined, then silent': secure({
    begin: (connection, secrets) => joinAsClient(connection, secrets, ask(lobbyPath, lobbyProtocol)),
    endsWithin: 26,
  }),
  'relay: silent': relay(silence),
  'relay: frame byte by byte': relay(frameHeader, { drip: byte }),
  'relay: pings': relay(silence, { drip: pings }),
  'relay: fragments': relay(firstFragment, { drip: fragment }),
  'relay: half-closed': relay(halfClose),
  'relay: waits for the other side, silent': secure({
    begin: (connection, secrets) => showTicket(connection, secrets, ask(relayPath, relayProtocol)),
    endsWithin: 32,
  }),
};

const atMetrics: Record<string, Attack> = {
  'metrics: silent': metrics({ begin: silence, endsWithin: 13 }),
  'metrics: silent, one address': metrics({ begin: silence, from: 'one', endsWithin: 13 }),
  'metrics: headers slowly': metrics({
    begin: (connection) => connection.send('GET /metrics HTTP/1.1\r\n'),
    drip: header,
    endsWithin: 13,
  }),
  'metrics: body slowly': metrics({
    begin: (connection) => connection.send(post('/metrics', 1_000)),
    drip: byte,
    endsWithin: 13,
  }),
  'metrics: kept alive for nothing': metrics({
    begin: (connection) => connection.send(get('/metrics')),
    endsWithin: 13,
  }),
  'metrics: pipelining without reading': metrics({
    begin: (connection) => connection.send(get('/metrics').repeat(200)),
    stopsReading: true,
    endsWithin: 30,
  }),
};

export const attacks: Record<string, Attack> = { ...connections, ...requests, ...sockets, ...atMetrics };
