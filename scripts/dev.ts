/** Runs the server from its sources: restarts it when a source file changes, and rebuilds the pages. */
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { buildWeb } from './build-web.ts';

const root = join(import.meta.dirname, '..');
/** Folders whose changes restart the server. */
const serverSources = ['contract/src', 'relay/src', 'server/src', 'server/static'];
/** Folders whose changes rebuild the pages. The server serves new files without a restart. */
const pageSources = ['contract/src', 'web/src'];
const debounceMs = 200;

async function rebuildPages(): Promise<void> {
  try {
    await buildWeb();
    console.log('The pages are up to date.');
  } catch (error) {
    console.error(`The pages could not be built: ${error instanceof Error ? error.message : String(error)}`);
  }
}

await rebuildPages();
let timer: NodeJS.Timeout | undefined;
for (const folder of pageSources)
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void rebuildPages(), debounceMs);
  });

const watched = serverSources.map((folder) => `--watch-path=${join(root, folder)}`);
const program = [...watched, '--watch-preserve-output', join(root, 'server/src/main.ts')];
const server = spawn(process.execPath, [...program, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 0));
