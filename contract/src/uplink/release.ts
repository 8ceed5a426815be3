/** A release of the agent: the files a server offers, signed with the release key, and how one release key follows another. */
import * as z from 'zod';
import { list } from '../list.ts';

const publicKey = z.base64url().length(43).describe('Ed25519');
const signature = z.base64url().length(86).describe('Ed25519');

/** A name is safe in a path: no valid one leads out of its folder. */
const releaseFile = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,99}$/),
  os: z.enum(['linux', 'macos', 'windows']),
  arch: z.enum(['x64', 'arm64']),
  size: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ReleaseFile = z.output<typeof releaseFile>;

/** What a server must know of its files to offer them for download. */
export const offeredFiles = z.object({ version: z.string(), files: list(releaseFile, { max: 32 }) });
export type OfferedFiles = z.output<typeof offeredFiles>;

/** What an agent must know to update itself. */
export const releaseManifest = offeredFiles.extend({
  version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/),
  sequence: z
    .int()
    .min(1)
    .describe('Higher in every later release, so that an old one cannot be offered again'),
  created: z.int().min(0),
  expires: z.int().min(0),
});
export type ReleaseManifest = z.output<typeof releaseManifest>;

/** The holder of the key `from` says that releases are signed with the key `to` from now on. */
const keyRotation = z.object({ from: publicKey, to: publicKey, signature });
export type KeyRotation = z.output<typeof keyRotation>;

export const signedRelease = z.object({
  manifest: z.string().max(32_768).describe('The JSON text of the manifest, as it was signed'),
  signature,
  rotations: list(keyRotation, { max: 64 }).describe('From the oldest release key to the current one'),
});
export type SignedRelease = z.output<typeof signedRelease>;

/** Where agents find the signed release of their server. */
export const releasePath = '/download/release.json';
/** Size of the largest signed release that an agent reads. */
export const maxReleaseBytes = 65_536;

/** What the release key signs. The first line names the purpose, so that a signature is not valid for another one. */
export const releaseStatement = (manifest: string): string => `drawbridge-agent-release\n${manifest}`;
export const rotationStatement = ({ from, to }: Pick<KeyRotation, 'from' | 'to'>): string =>
  ['drawbridge-release-key', from, to].join('\n');

/** Whether the first version is newer. Both consist of three numbers; any other text is older than every version. */
export function isNewerVersion(version: string, than: string): boolean {
  const [left, right] = [numbersOf(version), numbersOf(than)];
  const index = left.findIndex((part, at) => part !== right[at]);
  return index !== -1 && left[index]! > right[index]!;
}

const numbersOf = (version: string): number[] =>
  (/^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(version) ?? ['', '-1', '-1', '-1']).slice(1).map(Number);
