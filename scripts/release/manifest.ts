/** The manifest of a build: how long its release is valid, and the key that signs it. */
import type { ReleaseFile, ReleaseManifest } from '@drawbridge/contract/uplink/release';
import { loadOrCreateReleaseKey, type ReleaseKey } from './release-key.ts';

/** A release that nobody builds again for this time is refused by agents. */
const releaseLifetime = 180 * 86_400;

const nowInSeconds = (): number => Math.floor(Date.now() / 1_000);

export function createManifest(version: string, files: ReleaseFile[]): ReleaseManifest {
  const created = nowInSeconds();
  return { version, sequence: created, created, expires: created + releaseLifetime, files };
}

/** Whether less than half of its time is left, so that it should be signed again. */
export const isAging = ({ expires }: ReleaseManifest): boolean =>
  expires - nowInSeconds() < releaseLifetime / 2;

/** The key of this machine; tells where it is kept when it was created. */
export function releaseKey(): ReleaseKey {
  const key = loadOrCreateReleaseKey();
  if (key.createdFile)
    console.log(
      `Created the release key ${key.createdFile}. Back it up: agents accept only updates signed with it.`,
    );
  return key;
}
