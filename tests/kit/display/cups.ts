/** A separate CUPS, with its own folder and socket: the printers of the machine are not touched. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../eventually.ts';
import { boundToParent } from '../process.ts';
import { findCups } from '../requirements.ts';

interface PrintOptions {
  file: string;
  title?: string;
  pages?: string;
  user?: string;
}

export interface Cups extends AsyncDisposable {
  /** The environment for programs that use it. */
  env: Record<string, string>;
  /** The names of its printers. */
  printers(): Promise<string[]>;
  /** Prints a file; `pages` such as `2-3`. CUPS believes the name of the user. */
  print(printer: string, options: PrintOptions): Promise<void>;
  /** The jobs that are not over. */
  waiting(): Promise<string[]>;
  /** The documents that it stores, as files. */
  storedDocuments(): string[];
}

const run = promisify(execFile);

export async function startCups(): Promise<Cups> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-cups-'));
  await chmod(folder, 0o755); // filters run as another user
  const socket = join(folder, 'cups.sock');
  await writeSettings(folder, socket);
  const args = ['-f', '-c', join(folder, 'cupsd.conf'), '-s', join(folder, 'cups-files.conf')];
  const child = spawn(...boundToParent(findCups()!, args), { stdio: 'ignore' });
  const env = { CUPS_SERVER: socket };
  const ask = async (program: string, ...rest: string[]): Promise<string> =>
    (await run(program, rest, { env: { ...process.env, ...env, LC_ALL: 'C.UTF-8' } })).stdout;
  const firstWords = (listed: string): string[] =>
    listed.split('\n').flatMap((line) => line.split(/\s+/)[0] || []);
  await eventually(async () => existsSync(socket), Boolean);
  return {
    env,
    printers: async () => firstWords(await ask('lpstat', '-e')),
    async print(printer, { file, title = 'Test', pages, user = 'root' }) {
      await ask('lp', '-U', user, ...(pages ? ['-P', pages] : []), '-d', printer, '-t', title, file);
    },
    waiting: async () => firstWords(await ask('lpstat', '-W', 'not-completed', '-o')),
    storedDocuments: () => readdirSync(join(folder, 'spool')).filter((name) => name.startsWith('d')),
    async [Symbol.asyncDispose]() {
      if (child.kill('SIGKILL')) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeSettings(folder: string, socket: string): Promise<void> {
  const folders = {
    ServerRoot: 'root',
    RequestRoot: 'spool',
    TempDir: 'spool/tmp',
    CacheDir: 'cache',
    StateDir: 'run',
  };
  const logs = { ErrorLog: 'error_log', AccessLog: 'access_log', PageLog: 'page_log' };
  for (const name of Object.values(folders)) await mkdir(join(folder, name));
  const lines = Object.entries({ ...folders, ...logs }).map(([key, name]) => `${key} ${join(folder, name)}`);
  await writeFile(join(folder, 'cups-files.conf'), [...lines, 'SystemGroup root lpadmin', ''].join('\n'));
  const settings = [
    `Listen ${socket}`,
    'Browsing No',
    'WebInterface No',
    'DefaultAuthType Basic',
    '<Location />',
    'Order allow,deny',
    'Allow all',
    '</Location>',
    '',
  ];
  await writeFile(join(folder, 'cupsd.conf'), settings.join('\n'));
}
