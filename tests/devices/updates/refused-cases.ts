/** Releases that every device refuses, on each system. After each of them, the device still starts the version that it has. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InstallOptions } from '@drawbridge/agent/update/install-release';
import {
  createReleaseFolder,
  programOf,
  releaseFileName,
  releaseTime,
  type ReleaseFolder,
} from '../../kit/agent/release.ts';

export interface RefusedRelease {
  name: string;
  reason: RegExp;
  offer(release: ReleaseFolder): void;
  change?: Partial<InstallOptions>;
  /** The version that the server has asked for. */
  wanted?: string;
}

const offerNewer = (release: ReleaseFolder): void => release.offer('1.1.0');

export const refusedReleases: readonly RefusedRelease[] = [
  {
    name: 'a release that another key has signed',
    reason: /not signed with the release key/,
    offer(release) {
      using other = createReleaseFolder();
      release.offer('1.1.0');
      release.publish(other.key.sign(release.manifestOf('1.1.0')));
    },
  },
  {
    name: 'a manifest that was changed after it was signed',
    reason: /not signed with the release key/,
    offer(release) {
      release.offer('1.1.0');
      const signed = release.key.sign(release.manifestOf('1.1.0'));
      release.publish({ ...signed, manifest: signed.manifest.replace('"1.1.0"', '"1.2.0"') });
    },
  },
  ...['1.0.0', '0.9.9'].map((version) => ({
    name: `version ${version}, when it has 1.0.0`,
    reason: /is not newer than 1\.0\.0/,
    offer: (release: ReleaseFolder): void => release.offer(version),
  })),
  {
    name: 'an expired release',
    reason: /has expired/,
    offer: offerNewer,
    change: { now: () => releaseTime + 86_400 },
  },
  {
    name: 'a release without a file for its system',
    reason: /no file for macos on x64/,
    offer: offerNewer,
    change: { system: { os: 'macos', arch: 'x64' } },
  },
  {
    name: 'another version than the server asked for',
    reason: /offers version 1\.1\.0, not 1\.1\.1/,
    offer: offerNewer,
    wanted: '1.1.1',
  },
  {
    name: 'a file that was swapped for another of the same size',
    reason: /not the one that was signed/,
    offer(release) {
      release.offer('1.1.0');
      writeFileSync(join(release.folder, releaseFileName), programOf('6.6.6'));
    },
  },
  {
    name: 'a release for which its disk has too little room',
    reason: /not enough free space/,
    offer: offerNewer,
    change: { freeBytes: async () => 1_000_000 },
  },
];

/** Files that a server sends which does not look at them, as ours does. */
export const damagedFiles: readonly RefusedRelease[] = [
  {
    name: 'a truncated file',
    reason: /The download was interrupted/,
    offer(release) {
      release.offer('1.1.0');
      writeFileSync(join(release.folder, releaseFileName), programOf('1.1.0').slice(0, -1));
    },
  },
  {
    name: 'more bytes than were signed',
    reason: /more bytes than were signed/,
    offer(release) {
      release.offer('1.1.0');
      writeFileSync(
        join(release.folder, releaseFileName),
        `${programOf('1.1.0').toString('latin1')}more`,
        'latin1',
      );
    },
  },
];
