/** The handshakes of clients that are admitted before they hold their connection for nothing. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { agentStatement } from '@drawbridge/contract/uplink/messages';
import { createDeviceKey, newNonce, signWith } from '@drawbridge/agent/uplink/keys';
import { randomKey } from '../kit/session/session-ends.ts';
import { honestDevice, type ReceivedMessage } from '../kit/hostile/rogue-device.ts';
import { frame, textFramesIn } from './frames.ts';
import type { AttackConnection } from './attack-connection.ts';
import { pairNamed, relaySigningKey, ticketOf, type AttackSecrets } from './fixture.ts';

type RequestUpgrade = (connection: AttackConnection) => Promise<void>;

export const sendMessage = (connection: AttackConnection, message: object): void =>
  connection.send(frame('text', JSON.stringify(message)));

/** The first text with this prefix. */
export async function receiveText(connection: AttackConnection, start: string): Promise<string> {
  const find = (received: Buffer): string | undefined =>
    textFramesIn(received).find((text) => text.startsWith(start));
  return find(await connection.until((received) => find(received) !== undefined))!;
}

/** The hello of an unknown device. */
export const makeHello = (number: number): Buffer => {
  const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
  const [key, nonce] = [digest(`key ${number}`), digest(`nonce ${number}`)];
  return frame('text', JSON.stringify({ kind: 'hello', version: 1, key, nonce }));
};

/** A new device with its own key. */
export async function enterAsDevice(
  connection: AttackConnection,
  { enrolSecret }: AttackSecrets,
  ask: RequestUpgrade,
): Promise<void> {
  const [key, nonce] = [createDeviceKey(), newNonce()];
  await ask(connection);
  sendMessage(connection, { kind: 'hello', version: 1, key: key.publicKey, nonce, token: enrolSecret });
  const asked = JSON.parse(
    await receiveText(connection, '{"kind":"challenge"'),
  ) as ReceivedMessage<'challenge'>;
  const statement = agentStatement({ serverNonce: asked.nonce, agentNonce: nonce, serverKey: asked.key });
  const { facts, fingerprint } = honestDevice;
  sendMessage(connection, {
    kind: 'proof',
    signature: signWith(key.privateKey, statement),
    facts,
    fingerprint,
  });
  await receiveText(connection, '{"kind":"welcome"');
}

/** The client of a separate invitation. */
export async function joinAsClient(
  connection: AttackConnection,
  { codes }: AttackSecrets,
  ask: RequestUpgrade,
): Promise<void> {
  await ask(connection);
  sendMessage(connection, {
    kind: 'join',
    code: codes[connection.number % codes.length],
    key: randomKey(),
    os: 'linux',
    by: 'program',
  });
  await receiveText(connection, '{"kind":"welcome"');
}

/** One side of a session, whose other side never connects. */
export async function showTicket(
  connection: AttackConnection,
  secrets: AttackSecrets,
  ask: RequestUpgrade,
): Promise<void> {
  await ask(connection);
  connection.send(
    frame('text', ticketOf(relaySigningKey(secrets), pairNamed(connection.number), 'operator')),
  );
}

let hello: Promise<Buffer> | undefined;

/** What an honest client sends first. */
export const clientHello = (): Promise<Buffer> => (hello ??= recordHello());

async function recordHello(): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    servername: 'localhost',
  });
  client.on('error', () => {});
  const [near] = (await once(server, 'connection')) as [Socket];
  const [bytes] = (await once(near, 'data')) as [Buffer];
  near.destroy();
  client.destroy();
  server.close();
  return bytes;
}
