/** Finds the TrueType fonts of the machine that cover the most characters, best first. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readTypeface, type Typeface } from './typeface.ts';

const folders = ['/usr/share/fonts', '/usr/local/share/fonts'];
const wanted = [
  /^DejaVuSans\.ttf$/,
  /^NotoSans(-Regular|\[.*\])?\.ttf$/,
  /^LiberationSans-Regular\.ttf$/,
  /^(Ubuntu-R|FreeSans|Roboto-Regular|OpenSans-Regular|Arial)\.ttf$/,
  /^DroidSansFallback(Full)?\.ttf$/,
];

/** Fonts with all characters of East Asia are smaller. */
const maxFileBytes = 32 * 1_024 * 1_024;

/** Read once and shared by all windows of the agent. */
let found: Promise<Typeface[]> | undefined;

export const findTypefaces = (): Promise<Typeface[]> => (found ??= readAll());

async function readAll(): Promise<Typeface[]> {
  const files = (await Promise.all(folders.map(filesIn))).flat();
  const best = wanted.flatMap((pattern) => files.find(({ name }) => pattern.test(name)) ?? []);
  const faces = await Promise.all(best.map(({ path }) => open(path)));
  return faces.filter((face) => face !== undefined);
}

const filesIn = async (folder: string): Promise<{ name: string; path: string }[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, path: join(entry.parentPath, entry.name) }));

async function open(path: string): Promise<Typeface | undefined> {
  try {
    return (await stat(path)).size > maxFileBytes ? undefined : readTypeface(await readFile(path));
  } catch {
    return undefined;
  }
}
