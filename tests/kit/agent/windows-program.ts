/** Runs a TypeScript program of the tests in Node for Windows, under Wine. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { findPackages, targets } from '../../../scripts/agent-files/build-target.ts';
import { skipWithout } from '../requirements.ts';
import { openWine } from './wine.ts';

const root = join(import.meta.dirname, '../../..');
/** Where the build of the agent keeps the packages of other systems. */
const packages = join(root, `dist/agent-packages/win32-${process.arch}/node_modules`);
/** Node for Windows. */
export const windowsRuntime = join(packages, `node-win-${process.arch}/bin/node.exe`);
const koffi = join(packages, `@koromix/koffi-win32-${process.arch}/win32_${process.arch}/koffi.node`);

/** For a test's `skip`. Packages that are missing are fetched. */
export function skipWithoutWindows(): string | false {
  const skip = skipWithout('Wine') || skipWithout('Xvfb');
  if (skip) return skip;
  findPackages(
    targets.find(({ os, arch }) => os === 'windows' && arch === process.arch)!,
    true,
  );
  return existsSync(windowsRuntime) && existsSync(koffi)
    ? false
    : 'npm could not fetch the packages of Windows';
}

interface ProgramOptions {
  /** Files that it expects beside itself, by name. */
  libraries?: Record<string, string>;
  env?: Record<string, string>;
}

/** Runs the program to its end, and returns its output. */
export async function runOnWindows(
  program: string,
  display: string,
  { libraries = {}, env = {} }: ProgramOptions = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-windows-'));
  try {
    const bundle = join(folder, 'program.cjs');
    await bundleForWindows(program, bundle);
    for (const [name, file] of Object.entries(libraries)) copyFileSync(file, join(folder, name));
    await using wine = openWine();
    return await wine.run(windowsRuntime, [bundle], { ...env, DISPLAY: display });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bundles a TypeScript program of the project for it. */
export const bundleForWindows = (program: string, outfile: string) =>
  build({
    absWorkingDir: root,
    entryPoints: [program],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node26',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.main': 'false' },
    logLevel: 'warning',
    plugins: [
      {
        name: 'koffi-for-windows',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^koffi$/ }, () => ({ path: koffi, namespace: 'native' }));
          onLoad({ filter: /.*/, namespace: 'native' }, ({ path }) => ({
            contents: `process.dlopen(module, ${JSON.stringify(`Z:${path}`)});`,
          }));
        },
      },
    ],
  });
