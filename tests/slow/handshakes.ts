/** The first steps of those who are let in before they hold their connection for nothing. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { agentStatement } from '@drawbridge/contract/uplink/messages';
import { createDeviceKey, newNonce, signWith } from '@drawbridge/agent/keys';
import { randomKey } from '../kit/session-ends.ts';
import { honestDevice, type ReceivedMessage } from '../kit/rogue-device.ts';
import { frame, textsIn } from './frames.ts';
import type { Line } from './line.ts';
import { pairNamed, signingKeyOf, ticketOf, type AttackSecrets } from './fixture.ts';

type Ask = (line: Line) => Promise<void>;

export const say = (line: Line, message: object): void => line.say(frame('text', JSON.stringify(message)));

/** The first text that begins so. */
export async function hears(line: Line, start: string): Promise<string> {
  const find = (heard: Buffer): string | undefined => textsIn(heard).find((text) => text.startsWith(start));
  return find(await line.until((heard) => find(heard) !== undefined))!;
}

/** The first word of a device that nobody knows. */
export const helloFrom = (number: number): Buffer => {
  const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
  const [key, nonce] = [digest(`key ${number}`), digest(`nonce ${number}`)];
  return frame('text', JSON.stringify({ kind: 'hello', version: 1, key, nonce }));
};

/** A new device, with a key of its own. */
export async function enterAsDevice(line: Line, { enrolSecret }: AttackSecrets, ask: Ask): Promise<void> {
  const [key, nonce] = [createDeviceKey(), newNonce()];
  await ask(line);
  say(line, { kind: 'hello', version: 1, key: key.publicKey, nonce, token: enrolSecret });
  const asked = JSON.parse(await hears(line, '{"kind":"challenge"')) as ReceivedMessage<'challenge'>;
  const statement = agentStatement({ serverNonce: asked.nonce, agentNonce: nonce, serverKey: asked.key });
  const { facts, fingerprint } = honestDevice;
  say(line, { kind: 'proof', signature: signWith(key.privateKey, statement), facts, fingerprint });
  await hears(line, '{"kind":"welcome"');
}

/** The client of an invitation of its own. */
export async function joinAsClient(line: Line, { codes }: AttackSecrets, ask: Ask): Promise<void> {
  await ask(line);
  say(line, {
    kind: 'join',
    code: codes[line.number % codes.length],
    key: randomKey(),
    os: 'linux',
    by: 'program',
  });
  await hears(line, '{"kind":"welcome"');
}

/** One side of a session, whose other side never comes. */
export async function showTicket(line: Line, secrets: AttackSecrets, ask: Ask): Promise<void> {
  await ask(line);
  line.say(frame('text', ticketOf(signingKeyOf(secrets), pairNamed(line.number), 'operator')));
}

let hello: Promise<Buffer> | undefined;

/** What an honest client says first. */
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
