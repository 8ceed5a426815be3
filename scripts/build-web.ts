/** Builds the pages in dist/web: one script and one style sheet for each, under stable names. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

const root = join(import.meta.dirname, '..');
export const webFolder = join(root, 'dist/web');
const { fingerprint } = createRequire(import.meta.url)('./freshness.cjs') as {
  fingerprint: (root: string, sources: readonly string[]) => string;
};

/** Each entry becomes `<name>.js`, plus `<name>.css` and `<name>.html` if they exist beside the entry. */
const entries: Record<string, string> = {
  console: 'web/src/console/main.ts',
  join: 'web/src/join/main.ts',
  link: 'web/src/link/main.ts',
  player: 'web/src/player/main.ts',
  panel: 'web/src/panel/main.tsx',
  notifications: 'web/src/panel/notifications/notification-worker.ts',
  tick: 'web/src/ui/tick-worker.ts',
  terminal: 'web/src/console/panels/terminal/terminals.ts',
  voice: 'web/src/ui/voice-audio-worklet.ts',
  sound: 'web/src/console/sound/sound-worklet.ts',
};

/** The first versions with the curves of WebCrypto that we use; the page tells people with older browsers. */
const target = ['chrome123', 'firefox130', 'safari17.5'];

/** zod would try to create functions from text. The content security policy forbids that and reports each attempt. */
const banner = 'globalThis.__zod_globalConfig={jitless:true};';

interface Output {
  name: string;
  bytes: Uint8Array;
}

const present = (): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(join(root, file))));

async function bundles(): Promise<Output[]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: present(),
    outdir: webFolder,
    write: false,
    bundle: true,
    format: 'esm',
    target,
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    banner: { js: banner },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  refuseWholeZod(metafile.outputs);
  refuseZodInPanel(metafile.outputs);
  return outputFiles.map(({ path, contents }) => ({ name: relative(webFolder, path), bytes: contents }));
}

/** esbuild drops the unused three quarters of zod only if every import names what it uses. Its translations show when one does not. */
export function refuseWholeZod(outputs: Metafile['outputs']): void {
  const isTranslation = (file: string): boolean => /zod\/v4\/locales\/(?!en\.js)/.test(file);
  const heavy = Object.keys(outputs).filter((name) => Object.keys(outputs[name]!.inputs).some(isTranslation));
  if (heavy.length === 0) return;
  throw new Error(
    `${heavy.join(', ')} would contain all of zod. Import it with "import * as z from 'zod'" and its core by name from 'zod/v4/core', never as z.core.`,
  );
}

/** The panel parses nothing with zod, which would be a quarter of its script. Values that it shares with schemas are in `choices.ts`. */
function refuseZodInPanel(outputs: Metafile['outputs']): void {
  const [, panel] = Object.entries(outputs).find(([name]) => name.endsWith('/panel.js')) ?? [];
  const zod = Object.entries(panel?.inputs ?? {}).filter(([file]) => file.includes('node_modules/zod/'));
  if (zod.some(([, { bytesInOutput }]) => bytesInOutput > 0))
    throw new Error('The panel would contain zod. Import values from contract/src/choices.ts instead.');
}

const pages = (): Promise<Output[]> =>
  Promise.all(
    Object.entries(present())
      .map(([name, file]) => ({ name: `${name}.html`, file: join(root, file, `../${name}.html`) }))
      .filter(({ file }) => existsSync(file))
      .map(async ({ name, file }) => ({ name, bytes: await readFile(file) })),
  );

/** Writes to a temporary folder and moves the files one by one, so that a reader always finds complete files. */
async function install(outputs: readonly Output[]): Promise<void> {
  const temporary = await mkdtemp(join(webFolder, '.build-'));
  try {
    for (const { name, bytes } of outputs) {
      await writeFile(join(temporary, name), bytes);
      await rename(join(temporary, name), join(webFolder, name));
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function removeStale(outputs: readonly Output[]): Promise<void> {
  const wanted = new Set(['.stamp', ...outputs.map(({ name }) => name)]);
  const stale = (await readdir(webFolder)).filter((name) => !wanted.has(name) && !name.startsWith('.build-'));
  await Promise.all(stale.map((name) => rm(join(webFolder, name), { recursive: true, force: true })));
}

const sources = [
  'contract/src',
  'session/src',
  'web/src',
  'web/package.json',
  'scripts/build-web.ts',
  'package-lock.json',
];

/** Builds the pages unless they are up to date. */
export async function buildWeb(): Promise<void> {
  const stamp = fingerprint(root, sources);
  const built = await readFile(join(webFolder, '.stamp'), 'utf8').catch(() => '');
  if (built === stamp) return;
  await mkdir(webFolder, { recursive: true });
  const outputs = [...(await bundles()), ...(await pages())];
  await install(outputs);
  await removeStale(outputs);
  await install([{ name: '.stamp', bytes: Buffer.from(stamp) }]);
}

if (import.meta.main) {
  await buildWeb();
  for (const name of (await readdir(webFolder)).filter((file) => !file.startsWith('.')).toSorted()) {
    const bytes = await readFile(join(webFolder, name));
    const kB = (length: number): string => `${(length / 1_000).toFixed(1)} kB`;
    console.log(`dist/web/${name}  ${kB(bytes.length)}, gzip ${kB(gzipSync(bytes).length)}`);
  }
}
