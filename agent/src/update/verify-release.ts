/** Decides whether a release may be installed: signed by the release key, not expired, and newer than everything seen. */
import { parseAs } from '@drawbridge/contract/parse';
import {
  isNewerVersion,
  releaseManifest,
  releaseStatement,
  rotationStatement,
  signedRelease,
  type KeyRotation,
  type ReleaseFile,
  type ReleaseManifest,
} from '@drawbridge/contract/uplink/release';
import { isValidSignature } from '../uplink/keys.ts';

export interface ReleaseCheck {
  /** The release key that is trusted so far. */
  key: string;
  /** The highest sequence that was seen. */
  sequence: number;
  /** The version of the running agent. */
  running: string;
  system: { os: string; arch: string };
  /** Unix time in seconds. */
  now: number;
}

export interface VerifiedRelease {
  manifest: ReleaseManifest;
  file: ReleaseFile;
  /** The release key that signed it, which may follow the trusted one. */
  key: string;
}

export function verifyRelease(text: string, check: ReleaseCheck): VerifiedRelease | { refused: string } {
  const { data: release } = parseAs(signedRelease, parseJson(text));
  if (!release)
    return { refused: 'The release that the server offers is not in a format that this agent supports.' };
  const key = followRotations(check.key, release.rotations);
  if (!isValidSignature(key, releaseStatement(release.manifest), release.signature))
    return { refused: 'The release is not signed with the release key of this agent.' };
  const { data: manifest } = parseAs(releaseManifest, parseJson(release.manifest));
  if (!manifest)
    return { refused: 'The manifest of the release is not in a format that this agent supports.' };
  const refused = refusalOf(manifest, check);
  if (refused !== undefined) return { refused };
  const { os, arch } = check.system;
  const file = manifest.files.find((each) => each.os === os && each.arch === arch);
  return file ? { manifest, file, key } : { refused: `The release has no file for ${os} on ${arch}.` };
}

function refusalOf({ version, sequence, expires }: ReleaseManifest, check: ReleaseCheck): string | undefined {
  if (check.now >= expires) return 'The release has expired. Build the agent again on the server.';
  if (sequence < check.sequence) return 'The release is older than one that this device has seen.';
  if (!isNewerVersion(version, check.running))
    return `Version ${version} is not newer than ${check.running}, which is running.`;
  return undefined;
}

/** Each rotation counts only if the key that is trusted so far signed it. */
function followRotations(trusted: string, rotations: readonly KeyRotation[]): string {
  let key = trusted;
  for (const rotation of rotations)
    if (rotation.from === key && isValidSignature(key, rotationStatement(rotation), rotation.signature))
      key = rotation.to;
  return key;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
