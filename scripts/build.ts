/** Builds dist/: one bundle per program with every pure-JavaScript dependency, the static files and the pages. */
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { buildSync } from 'esbuild';
import { buildWeb, refuseWholeZod } from './build-web.ts';

/** A file in dist/, with its path below that folder. */
interface Output {
  path: string;
  bytes: Uint8Array;
}

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const { fingerprint } = createRequire(import.meta.url)('./freshness.cjs') as {
  fingerprint: (root: string) => string;
};

/** Bundle → entry. Those of the server share a folder, because each of them starts ./writer.js. */
const programs = {
  'server/main': 'server/src/main.ts',
  'server/relay': 'server/src/relay-main.ts',
  'server/admin': 'server/src/admin/main.ts',
  'server/writer': 'server/src/store/engine/writer.ts',
  'cli/main': 'cli/src/main.ts',
  'cli/service': 'cli/src/service/main.ts',
  'agent/main': 'agent/src/main.ts',
  'agent/simulate': 'agent/src/simulate/main.ts',
};

/** Loaded from node_modules: native or optional packages, those that need their own folder, and those needed rarely. */
const external = [
  'better-sqlite3',
  'pg',
  '@nats-io/transport-node',
  'nodemailer',
  'ldapts',
  'openid-client',
  'swagger-ui-dist',
  '@peculiar/x509',
  '@simplewebauthn/server',
  'koffi',
  '@julusian/jpeg-turbo',
  '@lydell/node-pty',
  'node-datachannel',
];

/** Bundled CommonJS dependencies still use variables that only CommonJS defines. */
const banner = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);
const __filename = import.meta.filename;
const __dirname = import.meta.dirname;`;

function bundles(): Output[] {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: root,
    metafile: true,
    entryPoints: programs,
    outdir: dist,
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    external,
    banner: { js: banner },
    // A third less to parse at every start. Names are kept and lines are short, so that stack traces are readable.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  });
  const { 'dist/agent/main.js': _lazy, ...others } = metafile.outputs; // esbuild keeps whole what a lazy import of ours uses
  refuseWholeZod(others);
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

/** Writes to a temporary folder and moves the files one by one, so that a starting program always finds complete files. */
async function install(outputs: Output[]): Promise<void> {
  await mkdir(dist, { recursive: true });
  const temporary = await mkdtemp(join(dist, '.build-'));
  try {
    for (const { path, bytes } of outputs) {
      await mkdir(dirname(join(temporary, path)), { recursive: true });
      await writeFile(join(temporary, path), bytes);
      await mkdir(dirname(join(dist, path)), { recursive: true });
      await rename(join(temporary, path), join(dist, path));
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Removes files without a source, and the compile cache of older bundles. */
async function removeStale(outputs: Output[]): Promise<void> {
  const wanted = new Set(outputs.map(({ path }) => path));
  const entries = globSync('{server,cli,agent}/**', { cwd: dist, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const stale = found.filter((file) => !wanted.has(relative(dist, file)));
  await Promise.all(
    [...stale, join(dist, '.cache')].map((each) => rm(each, { recursive: true, force: true })),
  );
}

// Computed before the sources are read, so that an edit during the build causes a rebuild at the next start.
const stamp = fingerprint(root);
const outputs = [...bundles(), ...(await staticFiles())];
await install(outputs);
await removeStale(outputs);
await buildWeb();
await install([{ path: '.stamp', bytes: Buffer.from(stamp) }]);
