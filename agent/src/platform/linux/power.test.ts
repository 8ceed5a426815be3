/** Tests of rebooting and locking on Linux: which program is run, and what is refused before that. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choosePlatform } from '../choose.ts';
import { createDryRun, type Execute } from '../execute.ts';
import { NotPossible } from '../platform.ts';
import { createPower } from './power.ts';

const broken: Execute = async (program) => {
  throw Object.assign(new Error('it ended with 1'), { stderr: `${program}: access denied\nmore` });
};

test('a dry run logs what would be run, and runs nothing', async () => {
  const lines: string[] = [];
  const { reboot, lock } = createPower(createDryRun((line) => lines.push(line)));

  await reboot({ safe: false });
  await lock();

  assert.deepEqual(lines, [
    'harmless: would run systemctl reboot',
    'harmless: would run loginctl lock-sessions',
  ]);
});

test('a reboot into safe mode is refused, also in a dry run', async () => {
  const lines: string[] = [];
  const { reboot } = createPower(createDryRun((line) => lines.push(line)));

  await assert.rejects(reboot({ safe: true }), new NotPossible('Linux has no safe mode to reboot into.'));
  assert.deepEqual(lines, []);
});

test('the second program is tried if the first is missing', async () => {
  const tried: string[] = [];
  const { reboot } = createPower(async (program, args) => {
    tried.push([program, ...args].join(' '));
    if (program === 'systemctl') throw new Error('spawn systemctl ENOENT');
    return '';
  });

  await reboot({ safe: false });

  assert.deepEqual(tried, ['systemctl reboot', 'shutdown -r now']);
});

test('the timeouts of both programs together are shorter than the time the server waits', async () => {
  let allowedMs = 0;
  const { reboot } = createPower(async (_program, _args, limitMs) => {
    allowedMs += limitMs;
    throw new Error('it took too long');
  });

  await assert.rejects(reboot({ safe: false }), NotPossible);

  assert.ok(allowedMs <= 8_500, String(allowedMs));
});

test('if all programs fail, the refusal contains the message of the last one', async () => {
  const sentence = 'The system refused to reboot: shutdown: access denied';

  await assert.rejects(createPower(broken).reboot({ safe: false }), new NotPossible(sentence));
});

test(
  'the agent logs a warning about the dry-run setting',
  { skip: process.platform !== 'linux' },
  async () => {
    const [loud, silent]: string[][] = [[], []];
    const platform = await choosePlatform({ DRAWBRIDGE_AGENT_HARMLESS: '1' }, (line) => loud!.push(line));
    await choosePlatform({}, (line) => silent!.push(line));
    await platform.lock();

    assert.match(loud![0]!, /^WARNING: DRAWBRIDGE_AGENT_HARMLESS is set/);
    assert.equal(loud![1], 'harmless: would run loginctl lock-sessions');
    assert.deepEqual(silent, []);
  },
);
