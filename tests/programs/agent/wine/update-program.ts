/** Runs on Windows: installs releases that are refused, kills an installation after each of its steps, and fills the disk. Prints what happened as JSON. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import {
  installRelease,
  type InstallOptions,
  type InstallStep,
} from '@drawbridge/agent/update/install-release';
import { settleTrial, slotFile } from '@drawbridge/agent/update/slots';
import {
  fillDiskDuringUpdate,
  fullDiskMomentsOnWindows,
  momentsOf,
} from '../../../devices/updates/full-disk.ts';
import {
  damagedFiles,
  refusedReleases,
  type RefusedRelease,
} from '../../../devices/updates/refused-cases.ts';
import {
  createReleaseFolder,
  installSteps,
  installTestProgram,
  type ReleaseFolder,
} from '../../../kit/agent/release.ts';
import { openPausingServer } from '../../../kit/agent/pausing-server.ts';
import { fillableDisk } from '../../../kit/nodes/small-disk.ts';
import { smallDiskVariable } from './small-disk-variable.ts';

async function refuse(release: ReleaseFolder, url: string, refused: RefusedRelease) {
  using device = installTestProgram(release.key.publicKey);
  refused.offer(release);
  const options = { ...device.options, ...refused.change, server: { url } };
  const message = await installRelease(options, refused.wanted).catch((error: Error) => error.message);
  return {
    isRefused: refused.reason.test(message) || message,
    started: device.start('--version'),
    isLeft: existsSync(slotFile(device.folder, 'b')),
  };
}

/** The process that is killed is another one, because the server must live. */
async function interrupt(release: ReleaseFolder, url: string, step: InstallStep) {
  using device = installTestProgram(release.key.publicKey);
  release.offer('1.1.0');
  const options = { ...device.options, server: { url } };
  const args = [process.argv[1]!, step, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number];
  const started = device.start('--version');
  const found = settleTrial(device.folder).state;
  if (found !== 'running') await installRelease(options);
  return { code, started, found, finally: device.start('--version') };
}

async function endAfter(step: string, options: InstallOptions): Promise<void> {
  await installRelease({
    ...options,
    now: () => Math.floor(Date.now() / 1_000),
    freeBytes: async () => 1_000_000_000,
    untilIdle: async () => {},
    onStep: (each) => void (each === step && process.kill(process.pid, 'SIGKILL')),
  });
}

/** A version that always ends before it connects. */
async function undo(release: ReleaseFolder, url: string) {
  using device = installTestProgram(release.key.publicKey);
  release.offer('1.1.0');
  await installRelease({ ...device.options, server: { url } });
  const started = [1, 2, 3, 4, 5].map(() => device.start('--version'));
  return { started, found: settleTrial(device.folder) };
}

async function main(): Promise<void> {
  using release = createReleaseFolder();
  await using server = await openPausingServer(release.folder);
  const { url } = server;
  const disk = fillableDisk(process.env[smallDiskVariable]!);
  const results: Record<string, unknown> = {};
  const note = async (name: string, work: Promise<unknown>): Promise<void> => {
    results[name] = await work.catch((error: Error) => ({ error: error.stack }));
  };
  for (const refused of [...refusedReleases, ...damagedFiles])
    await note(refused.name, refuse(release, url, refused));
  for (const step of installSteps) await note(step, interrupt(release, url, step));
  for (const [moment] of momentsOf(fullDiskMomentsOnWindows))
    await note(`full ${moment}`, fillDiskDuringUpdate({ release, server, disk }, moment));
  await note('undone', undo(release, url));
  console.log(`RESULTS ${JSON.stringify(results)}`);
}

const [step, options] = process.argv.slice(2);
void (step === undefined
  ? main().finally(() => process.exit())
  : endAfter(step, JSON.parse(options!) as InstallOptions));
