/** The packages with the runtime and the native modules of a system: those installed here, or fetched for that system by npm. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { TargetPlatform } from '../native-parts.ts';

const root = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

/** Returns the folder of a package, or undefined if it is not available for the system. */
export type FindPackage = (name: string) => string | undefined;

export const findInstalled: FindPackage = (name) => {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
};

/** The texts of a package.json and its lock file. */
interface Locked {
  manifest: string;
  lock: string;
}

interface LockFile {
  packages: Record<string, { version: string; integrity: string; optional?: boolean } | undefined>;
}

/** The part of our lock file that is about these packages. npm compares what it downloads with its hashes. */
function lockFileFor(names: readonly string[]): Locked {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
  const entries = names.map((name) => {
    const entry = packages[`node_modules/${name}`];
    if (!entry?.integrity) throw new Error(`package-lock.json has no hash of ${name}.`);
    return [name, { ...entry, optional: undefined }] as const;
  });
  const dependencies = Object.fromEntries(entries.map(([name, { version }]) => [name, version]));
  const manifest = { name: 'agent-packages', version: '0.0.0', private: true, dependencies };
  const locked = Object.fromEntries(entries.map(([name, entry]) => [`node_modules/${name}`, entry]));
  const lock = { ...manifest, lockfileVersion: 3, requires: true, packages: { '': manifest, ...locked } };
  return { manifest: JSON.stringify(manifest), lock: JSON.stringify(lock) };
}

/**
 * Finds packages of another system. Those that npm did not install here are fetched into dist/agent-packages, unless an
 * earlier build did that. `mayFetch` is false for builds that nobody asked for: they use only what is on the disk.
 */
export function packagesFor(
  { platform, arch }: TargetPlatform,
  names: readonly string[],
  mayFetch: boolean,
): FindPackage {
  const missing = names.filter((name) => findInstalled(name) === undefined);
  if (missing.length === 0) return findInstalled;
  const folder = join(root, 'dist/agent-packages', `${platform}-${arch}`);
  const find: FindPackage = (name) => {
    const inside = join(folder, 'node_modules', name);
    return findInstalled(name) ?? (existsSync(inside) ? inside : undefined);
  };
  const { manifest, lock } = lockFileFor(missing);
  const lockFile = join(folder, 'package-lock.json');
  if (existsSync(lockFile) && readFileSync(lockFile, 'utf8') === lock) return find;
  if (!mayFetch) return findInstalled;
  fetchInto(folder, { manifest, lock }, { platform, arch });
  return find;
}

/** Other builds see the folder only when it is complete. A failed download leaves nothing behind. */
function fetchInto(folder: string, { manifest, lock }: Locked, { platform, arch }: TargetPlatform): void {
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}-`);
  try {
    writeFileSync(join(fresh, 'package.json'), manifest);
    writeFileSync(join(fresh, 'package-lock.json'), lock);
    const where = [`--os=${platform}`, `--cpu=${arch}`];
    const options = ['--force', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1', ...where];
    const { status, stderr, error } = spawnSync('npm', ['ci', ...options], { cwd: fresh, encoding: 'utf8' });
    if (status !== 0)
      throw new Error(
        `npm could not fetch the packages for ${platform}-${arch}: ${stderr?.trim() || error?.message}`,
      );
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
