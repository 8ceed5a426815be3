/** `npm run build:agent`: builds the agent as one executable per system, with checksums, in dist/agent-files. */
import { mkdir, mkdtemp, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { releaseKeyAsset } from '@drawbridge/agent/update/own-release-key';
import type { ReleaseFile, ReleaseManifest } from '@drawbridge/contract/uplink/release';
import {
  checksumsText,
  manifestName,
  signedReleaseName,
} from '@drawbridge/server/public-pages/downloads/release-manifest';
import { agentVersion } from '@drawbridge/agent/version';
import {
  bundleAgent,
  buildTarget,
  findPackages,
  nameOf,
  targets,
  type AgentTarget,
} from './agent-files/build-target.ts';
import { ensureVpx, vpxFolder } from './agent-files/vpx-library.ts';
import { createManifest, isAging, releaseKey } from './release/manifest.ts';
import type { ReleaseKey } from './release/release-key.ts';

const root = join(import.meta.dirname, '..');
export const agentFilesFolder = join(root, 'dist/agent-files');
const require = createRequire(import.meta.url);
const { fingerprint } = require('./freshness.cjs') as {
  fingerprint: (root: string, sources: readonly string[]) => string;
};

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
  'scripts/agent-files',
  'scripts/build-agent.ts',
  'scripts/closed-runtime.ts',
  'scripts/native-parts.ts',
  'scripts/release',
  'package-lock.json',
  vpxFolder,
];
const stampFile = join(agentFilesFolder, '.stamp');

/** What a build may do: `mayFetch` lets it fetch the packages of other systems with npm. */
interface BuildOptions {
  mayFetch: boolean;
}

/** A build that had the packages of all systems is marked: only then another one would not find more. */
const stampOf = ({ publicKey }: ReleaseKey, isComplete: boolean): string =>
  `${publicKey}\n${fingerprint(root, sources)}\n${isComplete ? 'all systems' : 'installed systems'}`;

/**
 * The manifest of the last build, if neither sources nor release key have changed since, half of its time is left, and it
 * has what these options promise.
 */
async function builtAgent({ mayFetch }: BuildOptions): Promise<ReleaseManifest | undefined> {
  const key = releaseKey();
  const stamp = await readFile(stampFile, 'utf8').catch(() => '');
  if (stamp !== stampOf(key, true) && (mayFetch || stamp !== stampOf(key, false))) return undefined;
  const text = await readFile(join(agentFilesFolder, manifestName), 'utf8');
  const manifest = JSON.parse(text) as ReleaseManifest;
  return isAging(manifest) ? undefined : manifest;
}

/** Builds for every system whose packages are available, even if nothing has changed. */
async function buildAgent({ mayFetch }: BuildOptions): Promise<ReleaseManifest> {
  const key = releaseKey();
  await mkdir(agentFilesFolder, { recursive: true });
  const buildFolder = await mkdtemp(join(agentFilesFolder, '.build-'));
  try {
    await bundleAgent(buildFolder);
    await writeFile(join(buildFolder, releaseKeyAsset), key.publicKey);
    const files: ReleaseFile[] = [];
    const missing: AgentTarget[] = [];
    for (const target of targets) {
      const file = await buildTarget(target, findPackages(target, mayFetch), buildFolder);
      if (file) files.push(file);
      else missing.push(target);
    }
    for (const target of missing)
      console.log(`Not built: ${nameOf(target)}, because the package ${target.runtime} is not available.`);
    const manifest = createManifest(agentVersion, files);
    await publish(manifest, key, buildFolder);
    const isComplete = missing.every(({ os }) => os === 'macos');
    await writeFile(stampFile, stampOf(key, isComplete));
    return manifest;
  } finally {
    await rm(buildFolder, { recursive: true, force: true });
  }
}

/** Builds unless the files are up to date. */
export async function ensureAgent(options: BuildOptions): Promise<ReleaseManifest> {
  if (options.mayFetch) for (const { os, arch } of targets) if (os === 'windows') ensureVpx(arch);
  return (await builtAgent(options)) ?? (await buildAgent(options));
}

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
    await buildAgent(onDiskOnly);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

const longestBuildMs = 10 * 60_000;
/** A server that starts downloads nothing on its own. */
const onDiskOnly: BuildOptions = { mayFetch: false };

if (import.meta.main) {
  const isBackground = process.argv.includes('--background');
  if (isBackground)
    await ((await builtAgent(onDiskOnly)) ? utimes(stampFile, new Date(), new Date()) : buildInBackground());
  const built = isBackground ? undefined : await ensureAgent({ mayFetch: true });
  for (const { name, size, sha256 } of built?.files ?? [])
    console.log(`dist/agent-files/${name}  ${(size / 1_048_576).toFixed(1)} MiB\nSHA-256 ${sha256}`);
}
