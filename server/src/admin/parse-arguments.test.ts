/** How the options of a command are parsed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdminCommand } from './command.ts';
import { parseArguments } from './parse-arguments.ts';

const command: AdminCommand = {
  name: 'copy',
  says: '',
  operand: 'FILE',
  options: { email: { takes: 'E', says: '', required: true }, recording_mb: { takes: 'N', says: '' } },
  run: () => Promise.reject(new Error('not run')),
};
const read = (...words: string[]) => parseArguments(words, command);

test('options may come before and after the file, with a space or an equals sign, with dashes or underscores', () => {
  const options = { email: 'a@b', recording_mb: '5', json: 'true' };

  assert.deepEqual(read('a.db', '--email', 'a@b', '--recording_mb', '5', '--json'), {
    options,
    operand: 'a.db',
  });
  assert.deepEqual(read('--email=a@b', '--recording-mb=5', '--json', 'a.db'), { options, operand: 'a.db' });
});

test('an invalid option is reported in one sentence that names it', () => {
  const wrong: [string[], string][] = [
    [['a.db', '--emial', 'a@b'], 'copy has no option --emial; it takes --email, --recording_mb, --json.'],
    [['a.db', '--email'], '--email needs a value.'],
    [['a.db', '--email='], '--email needs a value.'],
    [['a.db', '--email', '--json'], '--email needs a value.'],
    [['a.db', '--email', 'a@b', '--email', 'c@d'], '--email is given twice.'],
    [['a.db', '--email', 'a@b', '--json=yes'], '--json takes no value.'],
    [['a.db'], 'copy needs --email.'],
    [['--email', 'a@b'], 'copy needs FILE.'],
    [['a.db', 'b.db', '--email', 'a@b'], 'copy does not take b.db.'],
    [
      ['a.db', '--__proto__', 'x'],
      'copy has no option --__proto__; it takes --email, --recording_mb, --json.',
    ],
  ];

  for (const [words, failure] of wrong) assert.deepEqual(read(...words), { exit: 2, failure });
});

test('with --help, nothing else is required', () => {
  assert.deepEqual(read('--help'), { options: { help: 'true' }, operand: '' });
  assert.deepEqual(read('-h'), { options: { help: 'true' }, operand: '' });
});
