/** Installs a newer release into the free slot and puts it on trial. A kill at any step leaves an agent that starts. */
import { execFile } from 'node:child_process';
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { syncFolder } from '../durable-file.ts';
import { NotPossible } from '../platform/platform.ts';
import { errorCodeOf } from '../platform/uploads/readable-errors.ts';
import { downloadProgram, fetchRelease, type ReleaseServer } from './download.ts';
import { beginTrial, createSlot, currentSlot, otherSlot, slotFile, switchTo, type Slot } from './slots.ts';
import { loadRecord, saveRecord } from './update-record.ts';
import { verifyRelease, type ReleaseCheck, type VerifiedRelease } from './verify-release.ts';

export type InstallStep =
  | 'verified'
  | 'downloaded'
  | 'installed'
  | 'tested'
  | 'idle'
  | 'on_trial'
  | 'switched';

export interface InstallOptions {
  /** The folder of the installed program. */
  folder: string;
  /** The folder of the agent's state. */
  stateFolder: string;
  /** The release key in the running program. */
  releaseKey: string;
  running: string;
  system: ReleaseCheck['system'];
  server: ReleaseServer;
  /** Unix time in seconds. */
  now(): number;
  /** Bytes that can be written to the disk of this folder. */
  freeBytes(folder: string): Promise<number>;
  /** Resolves when no operator is connected. */
  untilIdle(): Promise<void>;
  /** Called after each step. */
  onStep(step: InstallStep, version: string): void;
}

/** Left free beyond the file itself, so that an update does not fill the disk. */
const spareBytes = 32 * 1_048_576;
/** A new version must print its version within this time. */
const testTimeoutMs = 60_000;

export const freeBytesOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * `wanted`: the version that the server asked for; any newer one if absent. Returns the version that runs after a restart.
 * Throws `NotPossible` if the release is wrong, and any other error if it may be installed later.
 */
export const installRelease = (options: InstallOptions, wanted?: string): Promise<string> =>
  install(options, wanted).catch((error: unknown) => {
    throw isDiskFull(error) ? new Error('The disk is full.', { cause: error }) : error;
  });

const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errorCodeOf(error));

async function install(options: InstallOptions, wanted: string | undefined): Promise<string> {
  const { folder, onStep } = options;
  const running = currentSlot(folder);
  if (!running) throw new NotPossible('This agent was installed before updates existed. Install it again.');
  const release = await findRelease(options, wanted);
  const { version } = release.manifest;
  onStep('verified', version);
  await fillSlot(options, release, otherSlot(running));
  await options.untilIdle();
  onStep('idle', version);
  beginTrial(folder, { previous: running, version });
  onStep('on_trial', version);
  switchTo(folder, otherSlot(running));
  onStep('switched', version);
  return version;
}

async function findRelease(options: InstallOptions, wanted: string | undefined): Promise<VerifiedRelease> {
  const { stateFolder, releaseKey, running, system, now } = options;
  const record = loadRecord(stateFolder);
  const text = await fetchRelease(options.server);
  const key = record.builtIn === releaseKey ? record.key : releaseKey;
  const { sequence: seen } = record;
  const release = verifyRelease(text, { key, sequence: seen, running, system, now: now() });
  if ('refused' in release) throw new NotPossible(release.refused);
  const { version, sequence } = release.manifest;
  if (wanted !== undefined && wanted !== version)
    throw new NotPossible(`The server offers version ${version}, not ${wanted}.`);
  if (wanted === undefined && version === record.failed)
    throw new NotPossible(`Version ${version} did not connect before.`);
  saveRecord(stateFolder, { ...record, builtIn: releaseKey, key: release.key, sequence });
  return release;
}

/** The version in the slot is no longer needed: the running one has connected. */
async function fillSlot(
  options: InstallOptions,
  { file, manifest: { version } }: VerifiedRelease,
  slot: Slot,
): Promise<void> {
  const { folder, onStep } = options;
  const program = createSlot(folder, slot);
  const part = `${program}.part`;
  rmSync(program, { force: true });
  if ((await options.freeBytes(dirname(program))) < file.size + spareBytes) {
    rmSync(part, { force: true });
    throw new Error('There is not enough free space on the disk for the update.');
  }
  await downloadProgram(options.server, file, part).catch((error: unknown) => {
    if (isDiskFull(error)) rmSync(part, { force: true });
    throw error;
  });
  onStep('downloaded', version);
  chmodSync(part, 0o755);
  renameSync(part, program);
  syncFolder(dirname(program));
  onStep('installed', version);
  await testProgram(slotFile(folder, slot), version);
  onStep('tested', version);
}

async function testProgram(program: string, version: string): Promise<void> {
  const options = { timeout: testTimeoutMs, windowsHide: true };
  const printed = await promisify(execFile)(program, ['--version'], options).then(
    ({ stdout }) => stdout.trim(),
    (error: Error) => error.message,
  );
  if (printed !== version)
    throw new NotPossible(`The new version does not start on this device: ${printed.slice(0, 200)}`);
}
