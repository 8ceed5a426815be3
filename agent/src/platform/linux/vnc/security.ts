/** Authenticates to a VNC server: without a password, or by a challenge with the password from the settings. */
import { createCipheriv } from 'node:crypto';
import { NotPossible } from '../../platform.ts';
import { protocolViolation } from './protocol-violation.ts';
import type { ByteReader } from './byte-reader.ts';
import { passwordSetting } from './settings.ts';

/** The minor number of protocol version 3. */
export type RfbMinorVersion = 3 | 7 | 8;

export interface HandshakeDeps {
  reader: ByteReader;
  send(message: Uint8Array): void;
  password: string | undefined;
}

const types = { none: 1, password: 2 } as const;
const maxReasonBytes = 4_096;

export async function authenticateToVnc(deps: HandshakeDeps, version: RfbMinorVersion): Promise<void> {
  const type = await (version === 3 ? readType : chooseType)(deps);
  if (type === types.password) await answerChallenge(deps);
  if (type === types.password || version === 8) await readResult(deps, version, type);
}

/** In version 3.3 the server decides. */
async function readType({ reader }: HandshakeDeps): Promise<number> {
  const type = (await reader.take(4)).readUInt32BE();
  if (type === 0) return refused(await readReason(reader));
  return type === types.none || type === types.password ? type : refuseUnknownType();
}

async function chooseType({ reader, send, password }: HandshakeDeps): Promise<number> {
  const [count = 0] = await reader.take(1);
  if (count === 0) return refused(await readReason(reader));
  const offered = await reader.take(count);
  const preferred = password === undefined ? [types.none, types.password] : [types.password, types.none];
  const type = preferred.find((each) => offered.includes(each)) ?? refuseUnknownType();
  send(Uint8Array.of(type));
  return type;
}

async function answerChallenge({ reader, send, password }: HandshakeDeps): Promise<void> {
  const challenge = await reader.take(16);
  if (password === undefined)
    throw new NotPossible(
      `The VNC server of the device requires a password. Put it into a file and set ${passwordSetting} to the path of that file.`,
    );
  send(challengeResponse(challenge, password));
}

/** Encrypts with DES and the first eight characters, each with its bits reversed. 3DES with three equal keys is DES. */
export function challengeResponse(challenge: Uint8Array, password: string): Buffer {
  const letters = Buffer.alloc(8);
  letters.write(password, 'latin1');
  const key = letters.map(reverseBits);
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(challenge), cipher.final()]);
}

const reverseBits = (byte: number): number =>
  Number.parseInt(byte.toString(2).padStart(8, '0').split('').toReversed().join(''), 2);

async function readResult({ reader }: HandshakeDeps, version: RfbMinorVersion, type: number): Promise<void> {
  if ((await reader.take(4)).readUInt32BE() === 0) return;
  const reason = version === 8 ? await readReason(reader) : '';
  if (type === types.password)
    throw new NotPossible(
      `The VNC server of the device rejected the password from ${passwordSetting}${reason && `: ${reason}`}.`,
    );
  refused(reason);
}

async function readReason(reader: ByteReader): Promise<string> {
  const length = (await reader.take(4)).readUInt32BE();
  if (length > maxReasonBytes) protocolViolation(`an error message of ${length} bytes`);
  const text = (await reader.take(length)).toString('utf8');
  return text
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ')
    .trim()
    .slice(0, 200)
    .replace(/\.$/, '');
}

function refused(reason: string): never {
  throw new NotPossible(`The VNC server of the device rejected the agent${reason && `: ${reason}`}.`);
}

function refuseUnknownType(): never {
  throw new NotPossible(
    'The VNC server of the device offers no authentication that the agent supports: it must allow a VNC password, or none.',
  );
}
