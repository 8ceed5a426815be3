/** The lines that a terminal shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { createLog } from './log.ts';
import { toTerminal } from './log-terminal.ts';

/** A log whose lines go to a terminal of this width. */
function openTerminal(columns: number, level: 'info' | 'debug' = 'info') {
  const written: string[] = [];
  const terminal = { columns, write: (text: string) => void written.push(stripVTControlCharacters(text)) };
  return { log: createLog({ level, stream: toTerminal(terminal, level) }), written };
}

test('an event is one line with its time, level, message and fields', () => {
  const { log, written } = openTerminal(80);

  log.info({ origin: 'https://localhost:8443', port: 8443 }, 'started');
  log.warn({ err: new Error('no answer') }, 'an e-mail could not be sent');

  assert.match(written[0]!, /^\d\d:\d\d:\d\d info {2}started origin=https:\/\/localhost:8443 port=8443\n$/);
  assert.match(written[1]!, /^\d\d:\d\d:\d\d warn {2}an e-mail could not be sent: no answer\n$/);
});

test('a line is cut at the width of the terminal', () => {
  const { log, written } = openTerminal(40);

  log.info({ origin: 'long '.repeat(20) }, 'started');

  assert.match(written[0]!, /^.{39}…\n$/);
});

test('warnings and errors are shown in full, and the stack trace of an error follows', () => {
  const { log, written } = openTerminal(40);
  const message = 'long '.repeat(20).trim();

  log.warn({ origins: ['*'] }, message);
  log.error({ err: new Error(message) }, 'failed');

  assert.match(written[0]!, new RegExp(`warn  ${message} origins=\\["\\*"\\]\n$`));
  assert.match(written[1]!, new RegExp(`error failed: ${message}\n {4}at `));
});

test('requests are shown if they failed in the server, and all of them at the level debug', () => {
  const [usual, verbose] = [openTerminal(80), openTerminal(80, 'debug')];
  const caller = { account: 1, member: 2, operation: 'agents/list' };
  const request = { method: 'GET', path: '/v1/agents/list', ms: 1.5, address: '192.0.2.7', ...caller };

  for (const { log } of [usual, verbose])
    for (const status of [200, 404, 500]) log.request({ ...request, status });

  assert.equal(usual.written.length, 1);
  assert.match(usual.written[0]!, /GET \/v1\/agents\/list 500, 1\.5 ms, 192\.0\.2\.7\n$/);
  assert.equal(verbose.written.length, 3);
});

test('a value from outside cannot send control sequences to the terminal', () => {
  const { log, written } = openTerminal(200);

  log.info({ name: '\u001b]0;owned\u0007\nnext\u202E' }, 'hello');

  assert.doesNotMatch(written[0]!.trimEnd(), /[\u0000-\u001f\u202E]/);
});
