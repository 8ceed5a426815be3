/** Builds the client package in dist/sdk: one JavaScript file and its types, without dependencies. */
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const root = join(import.meta.dirname, '..');
const source = join(root, 'sdk');

/** Together with `engines`, this defines where the package runs. */
const target = 'es2022';

function bundle(folder: string): void {
  buildSync({
    entryPoints: [join(source, 'src/client.ts')],
    outfile: join(folder, 'client.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target,
    banner: { js: '// @drawbridge/client, Apache-2.0' },
    logLevel: 'warning',
  });
}

/** Writes the types, one file per source file. */
async function declare(folder: string): Promise<void> {
  const flags = ['--declaration', '--emitDeclarationOnly', '--strict', '--rewriteRelativeImportExtensions'];
  const environment = ['--target', target, '--module', 'nodenext', '--lib', `${target},dom`, '--types', ''];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(
    process.execPath,
    [tsc, '--ignoreConfig', join(source, 'src/client.ts'), ...flags, ...environment, '--outDir', folder],
    { stdio: 'inherit' },
  );
  if (status !== 0) throw new Error('The types of the client could not be written.');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.d.ts'));
  await Promise.all(names.map((name) => nameScripts(join(folder, name))));
}

/** Type files must import `.js`, because the `.ts` sources are not part of the package. */
async function nameScripts(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
}

async function describe(folder: string): Promise<void> {
  const own = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Record<string, unknown>;
  const manifest = {
    ...own,
    exports: { '.': { types: './client.d.ts', default: './client.js' }, './package.json': './package.json' },
    types: './client.d.ts',
    sideEffects: false,
    engines: { node: '>=20' },
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const readme = await readFile(join(source, 'README.md'), 'utf8');
  await writeFile(join(folder, 'README.md'), readme.replace(/\n## In this repository\n.*$/s, ''));
  await copyFile(join(source, 'LICENSE'), join(folder, 'LICENSE'));
}

export async function buildSdk(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  bundle(folder);
  await declare(folder);
  await describe(folder);
}

if (import.meta.main) await buildSdk(join(root, 'dist/sdk'));
