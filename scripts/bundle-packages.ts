/** Bundles packages of many files, and the writer thread of the store, for the tests: almost every test file loads them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

export const bundledPackages: readonly string[] = [
  'kysely',
  'zod',
  'zod/v4/core',
  '@peculiar/x509',
  'prom-client',
  'puppeteer-core',
  'ws',
];

/** The environment variable that tells the processes of the test files where the bundles are. */
export const bundlesVariable = 'TEST_PACKAGES';

/** Whose packages they are. */
const dependant = join(import.meta.dirname, '../server');

/** Bundled CommonJS packages call `require` for the modules of Node. */
const banner = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`;

/** The bundle of a CommonJS package exports only its default. These are the names that we import from such packages. */
const importedNames: Readonly<Record<string, string>> = {
  'prom-client': 'collectDefaultMetrics, Counter, Gauge, Histogram, Registry',
};

const exportNames: Plugin = {
  name: 'export-names',
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(${Object.keys(importedNames).join('|')})$`);
    onResolve({ filter }, ({ path, kind }) =>
      kind === 'entry-point' ? { path, namespace: 'names' } : undefined,
    );
    onLoad({ filter, namespace: 'names' }, ({ path }) => ({
      contents: `export { ${importedNames[path]} } from '${path}';`,
      resolveDir: dependant,
    }));
  },
};

/** Native, so that it stays in its folder. */
export const unbundledPackage = 'better-sqlite3';

/** The writer thread: its source, below the folder of the server, and the name of its bundle. */
export const bundledWriter = { source: 'src/store/engine/writer.ts', name: 'writer' };

/** Makes the bundles for all processes that this one starts; they are removed with this process. */
export async function bundlePackages(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-packages-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env[bundlesVariable] = folder;
  const { build } = await import('esbuild');
  await build({
    entryPoints: {
      ...Object.fromEntries(bundledPackages.map((name) => [name, name])),
      [bundledWriter.name]: bundledWriter.source,
    },
    external: [unbundledPackage],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    absWorkingDir: dependant,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node26',
    banner: { js: banner },
    plugins: [exportNames],
  });
}
