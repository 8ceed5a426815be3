/** What the server prints in a terminal: the first start fits on one screen and stays there; the log is JSON elsewhere. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startInTerminal } from '../kit/pseudo-terminal.ts';
import { openTestClient } from '../kit/server/test-client.ts';
import { createDataFolder, launchServer } from './launched-server.ts';

const launcher = join(import.meta.dirname, '../../cli/bin/drawbridge.cjs');
const [columns, rows] = [80, 24];
/** What `npm start` prints before the server: an empty line, two lines about the script, an empty line. */
const npmRows = 4;

const startTerminal = (folder: string, env: Record<string, string> = {}) =>
  startInTerminal(process.execPath, [launcher, 'start'], {
    env: { DRAWBRIDGE_DATA: folder, DRAWBRIDGE_LISTEN: '127.0.0.1:0', ...env },
    cwd: folder,
    columns,
    rows,
  });

/** The rows that a text takes in the terminal. */
const rowsOf = (text: string): number =>
  text
    .trimEnd()
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);

test('the first start fits on one screen, and requests do not push it away', async () => {
  using data = createDataFolder();
  await using server = startTerminal(data.folder);
  const [, port] = await server.until(/ready at https:\/\/localhost:(\d+)[^]*API key: \S+[^]*started/);
  const certFile = join(data.folder, 'tls/cert.pem');
  const client = openTestClient({
    config: { listen: { port: Number(port) } },
    certificate: { certFile },
  } as never);

  for (let count = 0; count < 40; count++) await client.send({ path: count % 2 ? '/readyz' : '/nothing' });
  client.close();
  server.type('\x03');
  assert.equal(await server.gone, 0);

  const text = server.output().replace('^C', '');
  assert.ok(rowsOf(text) + npmRows <= rows, text);
  for (const line of text.split('\n')) assert.ok(line.length <= columns, line);
  assert.match(text, /SHA-256 [0-9A-F]{64}\n/);
  assert.match(text, /\n\d\d:\d\d:\d\d info  stopping signal=SIGINT\n/);
  assert.doesNotMatch(text, /[{}]/);
});

test('with the level debug, a terminal also shows each request in a short line', async () => {
  using data = createDataFolder();
  await using server = startTerminal(data.folder, { DRAWBRIDGE_LOG_LEVEL: 'debug' });
  const [, port] = await server.until(/ready at https:\/\/localhost:(\d+)[^]*started/);
  const certFile = join(data.folder, 'tls/cert.pem');
  const client = openTestClient({
    config: { listen: { port: Number(port) } },
    certificate: { certFile },
  } as never);

  await client.send({ path: '/readyz' });
  client.close();

  await server.until(/\n\d\d:\d\d:\d\d info  GET \/readyz 200, [\d.]+ ms, 127\.0\.0\.1\n/);
});

test('without a terminal every line of the log is JSON', async () => {
  using data = createDataFolder();
  await using server = await launchServer({ DRAWBRIDGE_DATA: data.folder, DRAWBRIDGE_LOG_LEVEL: 'info' });

  await server.testClient.send({ path: '/readyz' });
  await server.logged(/"path":"\/readyz"/);
  server.send('SIGTERM');
  const { err } = await server.ended;

  const lines = err.trimEnd().split('\n');
  for (const line of lines) assert.equal(typeof JSON.parse(line).msg, 'string');
  assert.ok(lines.length >= 3);
});
