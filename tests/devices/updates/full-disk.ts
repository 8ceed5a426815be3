/** Updates during which the disk of the device becomes full, on each system. */
import { readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { freeBytesOf, installRelease, type InstallStep } from '@drawbridge/agent/update/install-release';
import { slotFile } from '@drawbridge/agent/update/slots';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { installTestProgram, type ReleaseFolder } from '../../kit/agent/release.ts';
import type { PausingServer } from '../../kit/agent/pausing-server.ts';
import { eventually } from '../../kit/eventually.ts';
import type { FillableDisk } from '../../kit/nodes/small-disk.ts';

/** When the disk becomes full. */
export const fullDiskMoments = {
  before: 'before the update',
  verified: 'before the download',
  half: 'in the middle of the download',
  downloaded: 'after the download',
  idle: 'before the new version is put on trial',
} as const;
/** On Windows a file names the version that runs. On Linux a link does, which needs no space. */
export const fullDiskMomentsOnWindows = {
  ...fullDiskMoments,
  on_trial: 'before the new version is named as the one that runs',
} as const;
export type FullDiskMoment = keyof typeof fullDiskMomentsOnWindows;

export const momentsOf = <Moment extends FullDiskMoment>(moments: Readonly<Record<Moment, string>>) =>
  Object.entries(moments) as [Moment, string][];

/** The disk needs room for a program and what an update leaves free. */
export const fullDiskMegabytes = 40;

interface FullDiskScene {
  release: ReleaseFolder;
  server: PausingServer;
  disk: FillableDisk;
}

/** Returns what the update said, what was left, and whether the same agent can update once there is space. */
export async function fillDiskDuringUpdate({ release, server, disk }: FullDiskScene, moment: FullDiskMoment) {
  using device = installTestProgram(release.key.publicKey, disk.folder);
  release.offer('1.1.0');
  if (moment === 'before') disk.fill();
  const part = `${slotFile(device.folder, 'b')}.part`;
  if (moment === 'half')
    server.onHalf(async (bytes) => {
      await eventually(
        () => statSync(part, { throwIfNoEntry: false })?.size,
        (size) => size === bytes,
      );
      disk.fill();
    });
  let last: InstallStep | 'none' = 'none';
  const onStep = (step: InstallStep): void => {
    last = step;
    if (step === moment) disk.fill();
  };
  const options = { ...device.options, freeBytes: freeBytesOf, server: { url: server.url } };

  const refusal = await installRelease({ ...options, onStep }).then(
    () => undefined,
    (error: Error) => error,
  );

  // The update may have removed what it had written.
  disk.fill();
  const full = {
    last,
    message: refusal?.message,
    isFinal: refusal instanceof NotPossible,
    parts: readdirSync(dirname(device.folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(part|new)$/.test(name),
    ),
    started: device.start('--version'),
  };
  disk.free();
  await installRelease(options);
  return { ...full, finally: device.start('--version') };
}

/** The step that the update reached. */
const lastSteps: Record<FullDiskMoment, InstallStep | 'none'> = {
  before: 'none',
  verified: 'verified',
  half: 'verified',
  downloaded: 'idle',
  idle: 'idle',
  on_trial: 'on_trial',
};

/** What it must return. */
export const fullDiskResult = (moment: FullDiskMoment) => ({
  last: lastSteps[moment],
  message:
    moment === 'verified'
      ? 'There is not enough free space on the disk for the update.'
      : 'The disk is full.',
  isFinal: false,
  parts: [],
  started: '1.0.0',
  finally: '1.1.0',
});
