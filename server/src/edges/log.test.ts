/** The log: JSON lines on stderr, complete when the process ends. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { createLog } from './log.ts';

function listen(): { lines: string[]; stream: { write(line: string): void } } {
  const lines: string[] = [];
  return { lines, stream: { write: (line) => void lines.push(line) } };
}

test('an event is one line of JSON with its time, level, fields and message', async () => {
  const { lines, stream } = listen();
  const log = createLog({ level: 'info', stream });

  log.info({ agent: 7 }, 'agent is online');
  log.warn('disk is nearly full');
  await log.flush();

  const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual([first?.['level'], first?.['agent'], first?.['msg']], ['info', 7, 'agent is online']);
  assert.match(String(first?.['time']), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual([second?.['level'], second?.['msg']], ['warn', 'disk is nearly full']);
});

test('an error keeps its type, message, stack trace and cause', () => {
  const { lines, stream } = listen();
  const log = createLog({ level: 'info', stream });
  const error = new TypeError('not a number', { cause: new RangeError('too large') });

  log.error({ err: error }, 'failed');
  log.error({ error }, 'failed');
  log.error(error, 'failed');

  for (const line of lines) {
    const { err, error: other } = JSON.parse(line) as Record<string, Record<string, unknown>>;
    const logged = (err ?? other)!;
    assert.deepEqual([logged['type'], logged['message']], ['TypeError', 'not a number']);
    assert.match(String(logged['stack']), /^TypeError: not a number\n {4}at /);
    assert.partialDeepStrictEqual(logged['cause'], { type: 'RangeError', message: 'too large' });
  }
  assert.equal(lines.length, 3);
});

test('events below the level are not logged', () => {
  const { lines, stream } = listen();

  createLog({ level: 'warn', stream }).info('hello');
  createLog({ level: 'silent', stream }).error('hello');

  assert.deepEqual(lines, []);
});

test('no line contains a secret, wherever it occurs', () => {
  const { lines, stream } = listen();
  const log = createLog({ level: 'trace', stream });
  const secret = 'canary'.repeat(8);

  log.info({ password: 'canary', deep: { list: [{ api_key: 'canary' }] } }, `key ${secret}`);
  log.error({ err: new Error(`failed for ${secret} at https://host/i/canary`) }, 'failed');
  log.error(new Error(`https://host/c/canary?apikey=canary ${secret}`), 'failed');
  log.debug({ request: { path: `/c/canary`, headers: { cookie: 'canary' } } }, 'request');
  log.trace(`https://canary:canary@host/`);

  assert.equal(lines.length, 5);
  for (const line of lines) {
    assert.ok(!line.includes('canary'), line);
    JSON.parse(line);
  }
});

test('a request is a line in the format of any other event, with its path, and without the secrets of it', () => {
  const { lines, stream } = listen();
  const log = createLog({ level: 'info', stream });
  const known = { method: 'GET', status: 200, ms: 1.5, address: '192.0.2.7', operation: 'agents/info' };
  const paths = {
    '/v1/agents/info?agent_id=1&apikey=canary': '/v1/agents/info',
    '/c/canary': '/c/…',
    '/x/https://canary:canary@host/': '/x/https://host/',
    'https://canary@host/v1/agents/info': '/v1/agents/info',
    [`/v1/${'canary'.repeat(10)}`]: '/v1/…',
    '/a"b\\c\u0001': '/a"b\\c\u0001',
  };

  // Twice, because safe paths are remembered.
  for (const path of [...Object.keys(paths), ...Object.keys(paths)])
    log.request({ ...known, path, account: 1, member: 2 });
  log.request({ ...known, path: '/', account: undefined, member: undefined });

  const requests = lines.map((line) => {
    const { time, ...event } = JSON.parse(line) as Record<string, unknown>;
    assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const { request, ...rest } = event;
    assert.deepEqual(rest, { level: 'info', pid: process.pid, msg: 'request' });
    return request;
  });
  const shown = [...Object.values(paths), ...Object.values(paths)];
  assert.deepEqual(requests, [
    ...shown.map((path) => ({ ...known, path, account: 1, member: 2 })),
    { ...known, path: '/' },
  ]);
  assert.ok(!lines.join('').includes('canary'));
});

test('no line is lost when the process exits at once', () => {
  const program = `
    import { createLog } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
    const log = createLog({ level: 'info' });
    for (let n = 0; n < 1_000; n += 1) log.info({ n }, 'said');
    process.exit(3);`;

  const { status, stderr, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });

  const said = stderr
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { n: number }).n);
  // A write that was running at exit may finish after later lines, so the order can differ; every line is complete.
  const all = Array.from({ length: 1_000 }, (_, n) => n);
  assert.deepEqual([status, stdout, said.toSorted((a, b) => a - b)], [3, '', all]);
});
