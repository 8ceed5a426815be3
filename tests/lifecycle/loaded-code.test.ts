/** What code a server loads when it starts: its bundle, and few packages from node_modules. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDataFolder, launchServer } from './launched-server.ts';

/** Writes the process and the address of each loaded module to a file, in all threads. */
const recorder = `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const load = (url, context, next) => {
    appendFileSync(process.env.LOADED_FILE, process.pid + ' ' + url + '\\n');
    return next(url, context);
  };
  registerHooks({ load });
`;

const bundle = join(import.meta.dirname, '../../dist/server/main.js');

test('a server without PostgreSQL, a bus and e-mail loads the driver of SQLite and no other package, and its code is compact', async () => {
  using data = createDataFolder();
  const settings = { DRAWBRIDGE_DATA: data.folder };
  await using first = await launchServer(settings); // creates the certificate, for which it loads another package
  first.send('SIGTERM');
  await first.ended;
  const file = join(data.folder, 'loaded');

  await using second = await launchServer({
    ...settings,
    LOADED_FILE: file,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(recorder)}`,
  });

  // Other processes build the agent.
  const own = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`${second.pid} `));
  const packages = own.flatMap((line) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(line)?.[1] ?? []);
  assert.deepEqual([...new Set(packages)], ['better-sqlite3']);
  // With one character over U+00FF, V8 would hold the whole bundle with two bytes per character.
  assert.deepEqual(readFileSync(bundle, 'utf8').match(/[^\u0000-\u00ff]/g), null);
});
