/** Makes the bundles in dist/: one file per program with every pure-JavaScript dependency inside, the static files and the pages. */
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { buildSync } from 'esbuild';
import { buildWeb } from './build-web.ts';

/** A file of dist/: its path below it and its bytes. */
interface Output {
  path: string;
  bytes: Uint8Array;
}

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const { fingerprint } = createRequire(import.meta.url)('./freshness.cjs') as {
  fingerprint: (root: string) => string;
};

/** Bundle → entry. Those of the server stand side by side, as each of them starts ./writer.js. */
const programs = {
  'server/main': 'server/src/main.ts',
  'server/admin': 'server/src/admin/main.ts',
  'server/writer': 'server/src/store/engine/writer.ts',
  'cli/main': 'cli/src/main.ts',
  'agent/main': 'agent/src/main.ts',
  'agent/simulate': 'agent/src/simulate/main.ts',
};

/** Native, optional, asked for its own folder, or needed on the first start or for passkeys only: these load from node_modules. */
const external = [
  'better-sqlite3',
  'pg-native',
  'swagger-ui-dist',
  '@peculiar/x509',
  '@simplewebauthn/server',
  'koffi',
  '@julusian/jpeg-turbo',
  '@lydell/node-pty',
  'node-datachannel',
];

/** CommonJS dependencies inside an ES module still ask for what only CommonJS has. */
const banner = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);
const __filename = import.meta.filename;
const __dirname = import.meta.dirname;`;

function bundles(): Output[] {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: programs,
    outdir: dist,
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    external,
    banner: { js: banner },
    // A third less to parse at every start; names stay and lines stay short, so that a crash can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  });
  return outputFiles.map(({ path, contents }) => ({ path: relative(dist, path), bytes: contents }));
}

async function staticFiles(): Promise<Output[]> {
  const folder = join(root, 'server/static');
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => ({
      path: join('server/static', relative(folder, file)),
      bytes: await readFile(file),
    })),
  );
}

/** Written aside and moved into place one by one: whoever starts meanwhile finds each file whole, old or new. */
async function install(outputs: Output[]): Promise<void> {
  await mkdir(dist, { recursive: true });
  const aside = await mkdtemp(join(dist, '.build-'));
  try {
    for (const { path, bytes } of outputs) {
      await mkdir(dirname(join(aside, path)), { recursive: true });
      await writeFile(join(aside, path), bytes);
      await mkdir(dirname(join(dist, path)), { recursive: true });
      await rename(join(aside, path), join(dist, path));
    }
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Removes what no program needs any more: files without a source, compiled code of older bundles. */
async function sweep(outputs: Output[]): Promise<void> {
  const wanted = new Set(outputs.map(({ path }) => path));
  const entries = globSync('{server,cli,agent}/**', { cwd: dist, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const stale = found.filter((file) => !wanted.has(relative(dist, file)));
  await Promise.all(
    [...stale, join(dist, '.cache')].map((each) => rm(each, { recursive: true, force: true })),
  );
}

// Taken before the sources are read: an edit during the build makes the next start build again.
const stamp = fingerprint(root);
const outputs = [...bundles(), ...(await staticFiles())];
await install(outputs);
await sweep(outputs);
await buildWeb();
await install([{ path: '.stamp', bytes: Buffer.from(stamp) }]);
