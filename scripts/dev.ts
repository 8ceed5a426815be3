/** Runs the server from its sources. A change restarts the server or rebuilds the pages, whichever it affects. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { buildWeb } from './build-web.ts';

const root = join(import.meta.dirname, '..');
const serverSources = ['contract/src', 'relay/src', 'session/src', 'server/src', 'server/static'];
/** The server serves new pages without a restart. */
const pageSources = ['contract/src', 'session/src', 'web/src'];
/** An editor writes several files, or one file several times, for one save. */
const debounceMs = 200;

/** Runs `react` after a change in one of the folders, never twice at the same time. */
function onChange(folders: readonly string[], react: () => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const enqueue = (): void => void (last = last.then(react));
  for (const folder of folders.map((name) => join(root, name)).filter((path) => existsSync(path)))
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(enqueue, debounceMs);
    });
}

async function rebuildPages(): Promise<void> {
  try {
    await buildWeb();
    console.log('The pages are up to date.');
  } catch (error) {
    console.error(`The pages could not be built: ${error instanceof Error ? error.message : String(error)}`);
  }
}

// Not with `node --watch`: it sends messages of its own from worker threads, and the store's worker takes them for results.
const startServer = (): ChildProcess =>
  spawn(process.execPath, [join(root, 'server/src/main.ts'), ...process.argv.slice(2)], { stdio: 'inherit' });

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

await rebuildPages();
let server = startServer();
let isEnding = false;

async function stopServer(signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  if (!isRunning(server)) return;
  const exited = once(server, 'exit');
  // Ctrl-C in a terminal reaches the server directly; forwarded, it would arrive twice.
  if (signal === 'SIGTERM' || !isatty(0)) server.kill(signal);
  await exited;
}

onChange(pageSources, rebuildPages);
onChange(serverSources, async () => {
  console.log('A source file changed: the server restarts.');
  await stopServer('SIGTERM');
  if (!isEnding) server = startServer();
});

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isEnding = true;
    void stopServer(signal).then(() => process.exit());
  });
