/**
 * Releases of the agent for tests: small programs, signed with a key of the test, in the folder of a server, and a device with
 * such a program installed. They are shell scripts, and on Windows executables that `build-version-program.ts` builds.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countStart, createSlot, currentSlot, slotFile, switchTo } from '@drawbridge/agent/update/slots';
import { startScript, startScriptName } from '@drawbridge/agent/update/start-script';
import type { InstallOptions, InstallStep } from '@drawbridge/agent/update/install-release';
import type { ReleaseManifest, SignedRelease } from '@drawbridge/contract/uplink/release';
import { loadOrCreateReleaseKey, type ReleaseKey } from '../../../scripts/release/release-key.ts';
import { versionProgramOf } from './version-program/version-program.ts';

const isWindows = process.platform === 'win32';

/** A program that prints its version, or fails where it is told to; long, so that downloads take several reads. */
export const programOf = (version: string, run = 'exit 0'): Buffer =>
  isWindows
    ? versionProgramOf(version)
    : Buffer.from(
        `#!/bin/sh\n[ "$1" = --version ] && echo ${version} && exit\n${run}\n${'# filler\n'.repeat(50_000)}`,
      );

const nameFor = (os: 'linux' | 'windows'): string =>
  `drawbridge-agent-${os}-${process.arch}${os === 'windows' ? '.exe' : ''}`;
const ownSystem = isWindows ? 'windows' : 'linux';
const systemOfTests = { os: ownSystem, arch: process.arch } as const;
export const releaseFileName = nameFor(ownSystem);

/** The steps of an installation, in their order. */
export const installSteps: readonly InstallStep[] = [
  'verified',
  'downloaded',
  'installed',
  'tested',
  'idle',
  'on_trial',
  'switched',
];

export interface ReleaseFolder extends Disposable {
  /** What a server offers at /download/. */
  folder: string;
  keyFile: string;
  key: ReleaseKey;
  /** Puts a release into the folder. */
  offer(version: string, more?: Partial<ReleaseManifest>, program?: string | Buffer): void;
  /** Puts this release into the folder, however it was signed. */
  publish(release: SignedRelease): void;
  manifestOf(version: string, program?: string | Buffer, more?: Partial<ReleaseManifest>): ReleaseManifest;
}

export const releaseTime = 1_800_000_000;

export function createReleaseFolder(os: 'linux' | 'windows' = ownSystem): ReleaseFolder {
  const fileName = nameFor(os);
  const outer = mkdtempSync(join(tmpdir(), 'drawbridge-release-'));
  const folder = join(outer, 'agent-files');
  mkdirSync(folder);
  const keyFile = join(outer, 'key/release-key.pem');
  const key = loadOrCreateReleaseKey(keyFile);
  const release: ReleaseFolder = {
    folder,
    keyFile,
    key,
    offer(version, more = {}, program: string | Buffer = programOf(version)) {
      const manifest = release.manifestOf(version, program, more);
      writeFileSync(join(folder, fileName), program);
      writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
      release.publish(loadOrCreateReleaseKey(keyFile).sign(manifest));
    },
    publish: (signed) => writeFileSync(join(folder, 'release.json'), JSON.stringify(signed)),
    manifestOf: (version, program: string | Buffer = programOf(version), more = {}) => ({
      version,
      sequence: releaseTime,
      created: releaseTime,
      expires: releaseTime + 86_400,
      files: [
        {
          os,
          arch: process.arch as 'x64',
          name: fileName,
          size: Buffer.byteLength(program),
          sha256: createHash('sha256').update(program).digest('hex'),
        },
      ],
      ...more,
    }),
    [Symbol.dispose]: () => rmSync(outer, { recursive: true, force: true }),
  };
  return release;
}

export interface InstalledProgram extends Disposable {
  /** The folder of the program. */
  folder: string;
  stateFolder: string;
  options: Omit<InstallOptions, 'server'>;
  /** Starts it as the service manager does, and returns what it printed. */
  start(...args: string[]): string;
}

/** As the start script of Linux does it, or the service of Windows. */
function startProgramIn(folder: string, args: readonly string[]): string {
  if (!isWindows) return execFileSync('sh', [join(folder, startScriptName), ...args], { encoding: 'utf8' });
  countStart(folder);
  return execFileSync(slotFile(folder, currentSlot(folder)!), args, { encoding: 'utf8' });
}

/** A device on which version 1.0.0 is installed, in a folder below `parent`. */
export function installTestProgram(releaseKey: string, parent = tmpdir()): InstalledProgram {
  const outer = mkdtempSync(join(parent, 'drawbridge-installed-'));
  const [folder, stateFolder] = [join(outer, 'program'), join(outer, 'state')];
  for (const each of [folder, stateFolder]) mkdirSync(each);
  const program = createSlot(folder, 'a');
  writeFileSync(program, programOf('1.0.0'));
  chmodSync(program, 0o755);
  switchTo(folder, 'a');
  writeFileSync(join(folder, startScriptName), startScript);
  return {
    folder,
    stateFolder,
    options: {
      folder,
      stateFolder,
      releaseKey,
      running: '1.0.0',
      system: systemOfTests,
      now: () => releaseTime,
      freeBytes: async () => 1_000_000_000,
      untilIdle: async () => {},
      onStep: () => {},
    },
    start: (...args) => startProgramIn(folder, args).trim(),
    [Symbol.dispose]: () => existsSync(outer) && rmSync(outer, { recursive: true, force: true }),
  };
}
