/** Bundles packages of hundreds of files for the tests, because every test file and every writer thread loads them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const bundledPackages: readonly string[] = ['kysely', 'zod', 'zod/v4/core'];

/** The environment variable that tells the processes of the test files where the bundles are. */
export const bundlesVariable = 'TEST_PACKAGES';

/** Makes the bundles for all processes that this one starts; they are removed with this process. */
export async function bundlePackages(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-packages-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env[bundlesVariable] = folder;
  const { build } = await import('esbuild');
  await build({
    entryPoints: Object.fromEntries(bundledPackages.map((name) => [name, name])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    absWorkingDir: join(import.meta.dirname, '../server'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
  });
}
