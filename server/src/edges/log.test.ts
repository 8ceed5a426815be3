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
