/** Tests of locking on Linux: it succeeds when the visible sessions report it, and is otherwise refused with a reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Execute } from '../execute.ts';
import { NotPossible } from '../platform.ts';
import { createPower } from './power.ts';

type Properties = Record<'Type' | 'Class' | 'Active', string> & { LockedHint?: string };

const atScreen: Properties = { Type: 'x11', Class: 'user', Active: 'yes', LockedHint: 'no' };
const greeter = { ...atScreen, Class: 'greeter' };
const terminal = { ...atScreen, Type: 'tty' };

/** A machine with these sessions; `lock` is called on a lock command, `look` before each query. */
function machine(
  sessions: Properties[],
  { lock = () => {}, look = () => {} }: { lock?: () => void; look?: () => void } = {},
) {
  const clock = { ms: 0 };
  const execute: Execute = async (_program, [what, ...args]) => {
    if (what === 'lock-sessions') lock();
    if (what === 'list-sessions') {
      look();
      return sessions.map((_, at) => ` ${at + 1} 1000 ann seat0 tty${at}\n`).join('');
    }
    if (what !== 'show-session') return '';
    assert.deepEqual(
      args.filter((each) => /^\d+$/.test(each)),
      sessions.map((_, at) => String(at + 1)),
    );
    return sessions
      .map((each) =>
        Object.entries(each)
          .map((pair) => `${pair.join('=')}\n`)
          .join(''),
      )
      .join('\n');
  };
  const waiting = { now: () => clock.ms, pause: async (ms: number) => void (clock.ms += ms) };
  return { clock, lock: createPower(execute, waiting).lock };
}
const refusal = (sentence: RegExp) => (error: unknown) =>
  error instanceof NotPossible && sentence.test(error.message);

test('the agent waits for a slow screen locker', async () => {
  const session = { ...atScreen };
  let looks = 0;
  const { lock, clock } = machine([greeter, terminal, session], {
    look: () => void ((looks += 1) === 4 && (session.LockedHint = 'yes')),
  });

  await lock();

  assert.deepEqual([looks, clock.ms], [4, 600]);
});

test('if no screen locker runs, the command is refused after two seconds', async () => {
  const { lock, clock } = machine([{ ...atScreen }]);

  await assert.rejects(lock(), refusal(/Nothing on the device.*locked the screen/));

  assert.equal(clock.ms, 2_000);
});

test('a locked background session does not hide an unlocked visible one', async () => {
  const away = { ...atScreen, Active: 'no', LockedHint: 'yes' };

  await assert.rejects(machine([away, { ...atScreen }]).lock(), refusal(/Nothing on the device/));
  await machine([
    { ...away, LockedHint: 'no' },
    { ...atScreen, LockedHint: 'yes' },
  ]).lock();
});

test('if nobody is logged in at a screen, there is nothing to lock', async () => {
  for (const sessions of [[], [terminal], [greeter]])
    await assert.rejects(machine(sessions).lock(), refusal(/Nobody is logged in at a screen/));
});

test('a system that does not report its lock state counts as locked', async () => {
  const { Type, Class, Active } = atScreen;
  await machine([{ Type, Class, Active }]).lock();

  const mute: Execute = async (_program, [what]) => {
    if (what === 'list-sessions') throw new Error('unknown command');
    return '';
  };
  await createPower(mute).lock();
});
