/** Tests that screen, input and banner follow mouse and keyboard to another desktop, also if its helper fails or comes late. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Capture } from '../../desktop.ts';
import { followCapture } from './follow-capture.ts';
import { followDesktop } from './follow-desktop.ts';
import { createInputDesktops, type ConnectedDesktop } from './input-desktops.ts';

const whole: Box = { x: 0, y: 0, width: 8, height: 6 };
const part: Box = { x: 1, y: 1, width: 2, height: 2 };

/** A desktop that notes what is done on it. */
function createDesktop(name: string, log: string[]) {
  const listeners = { close: () => {}, damage: () => {}, stop: () => {} };
  const shown = { changed: [] as Box[] };
  const note = (...words: unknown[]): void => void log.push([name, ...words].join(' '));
  const capture: Capture = {
    damage: async () => shown.changed.splice(0),
    grab: async () => (note('grab'), []),
    onDamage: (listener) => void (listeners.damage = listener),
    onCursor: (listener) => listener({ x: name.length, y: 0 }),
    close: () => note('capture closed'),
  };
  const desktop: ConnectedDesktop = {
    capture: async () => capture,
    input: async () => ({
      pointer: () => note('pointer'),
      wheel: () => note('wheel'),
      key: (_down, code) => note(code),
      text: (text) => note(text),
      reset: () => note('reset'),
      close: () => note('input closed'),
    }),
    banner: async (text) => ({
      onStop: (listener) => void (listeners.stop = listener),
      setText: (changed) => note(changed),
      close: () => note('banner closed', text),
    }),
    ask: async (question) => (note(question), true),
    onClose: (listener) => void (listeners.close = listener),
    close: () => note('closed'),
  };
  return { desktop, capture, listeners, shown };
}

/** A Windows with the agent's own desktop and another one. */
function createWindows(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const log: string[] = [];
  const [own, other] = [createDesktop('own', log), createDesktop('other', log)];
  const system = { name: undefined as string | undefined, isRefused: false, connections: 0 };
  const desktops = createInputDesktops({
    look: () => system.name,
    async connect() {
      system.connections += 1;
      if (system.isRefused) throw new Error('refused');
      return other.desktop;
    },
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  const pass = async (ms: number): Promise<void> => {
    t.mock.timers.tick(ms);
    await settle();
  };
  const change = async (name?: string): Promise<void> => {
    system.name = name;
    await pass(250);
  };
  return { log, own, other, system, desktops, change, pass, settle };
}

test('nothing is looked for while nobody listens, and the helper ends with the last listener', async (t) => {
  const { log, system, desktops, change, pass } = createWindows(t);
  await change('winlogon');
  assert.equal(system.connections, 0);
  const stop = desktops.onChange(() => {});
  await pass(0);
  assert.ok(desktops.current());

  stop();
  await pass(1_000);
  assert.deepEqual([desktops.current(), log, system.connections], [undefined, ['other closed'], 1]);
});

test('a helper that cannot be started, or ends, is started again while its desktop is there', async (t) => {
  const { other, system, desktops, change, pass } = createWindows(t);
  let changes = 0;
  desktops.onChange(() => (changes += 1));
  system.isRefused = true;
  await change('winlogon');
  await pass(1_000);
  assert.deepEqual([system.connections, changes], [1, 0]);
  system.isRefused = false;
  await pass(1_250);
  assert.deepEqual([system.connections, changes, desktops.current()], [2, 1, other.desktop]);

  other.listeners.close();
  assert.deepEqual([changes, desktops.current()], [2, undefined]);
  await pass(2_250);
  assert.deepEqual([system.connections, desktops.current()], [3, other.desktop]);
});

test('a helper that comes after mouse and keyboard have returned is not used', async (t) => {
  const { log, system, desktops, settle, pass } = createWindows(t);
  desktops.onChange(() => assert.fail('it was used'));
  system.name = 'winlogon';
  t.mock.timers.tick(250);
  system.name = undefined;
  t.mock.timers.tick(250);
  await settle();
  await pass(0);

  assert.deepEqual(log, ['other closed']);
});

test('the picture changes as a whole with the desktop, and the memory of the other one stays for a moment', async (t) => {
  const { log, own, other, desktops, change, pass } = createWindows(t);
  const capture = followCapture(own.capture, desktops, whole);
  const seen = { damage: 0, pointer: [] as number[] };
  capture.onDamage(() => (seen.damage += 1));
  capture.onCursor(({ x }) => seen.pointer.push(x));
  own.shown.changed = [part];
  assert.deepEqual(await capture.damage(), [part]);

  await change('winlogon');
  assert.equal(seen.damage, 1);
  assert.deepEqual([await capture.damage(), await capture.damage()], [[whole], []]);
  own.listeners.damage();
  other.listeners.damage();
  assert.equal(seen.damage, 2);
  await capture.grab([part]);

  await change();
  await capture.grab([part]);
  assert.deepEqual([seen.damage, await capture.damage()], [3, [whole]]);
  assert.deepEqual(log, ['other grab', 'other closed', 'own grab']);
  await pass(1_000);
  assert.deepEqual(log.slice(3), ['other capture closed']);
  assert.deepEqual(
    seen.pointer,
    ['own', 'other', 'own'].map(({ length }) => length),
  );
});

test('keys and mouse go to the desktop that has them, and nothing stays pressed on the other one', async (t) => {
  const { log, own, desktops, change } = createWindows(t);
  const input = await followDesktop(own.desktop, desktops).input();
  input.key(true, 'KeyA', 'a');
  await change('winlogon');
  input.key(true, 'KeyB', 'b');
  input.text('secret');
  await change();
  input.pointer(1, 1, 0);
  input.close();

  assert.deepEqual(log, [
    'own KeyA',
    'other KeyB',
    'other secret',
    'other closed',
    'other input closed',
    'own reset',
    'own pointer',
    'own input closed',
  ]);
});

test('a question waits for the desktop in front, and its helper ends with it', async (t) => {
  const { log, own, system, desktops } = createWindows(t);
  const { ask } = followDesktop(own.desktop, desktops);
  await ask('May she?', 10);
  system.name = 'winlogon';
  await ask('May he?', 10);
  system.isRefused = true;
  await ask('May they?', 10);

  assert.deepEqual(log, ['own May she?', 'other May he?', 'other closed', 'own May they?']);
});

test('the banner is on both desktops, with its present text, and the question on the one in front', async (t) => {
  const { log, own, other, desktops, change } = createWindows(t);
  const { banner: show, ask } = followDesktop(own.desktop, desktops);
  const banner = await show('Ann');
  let stops = 0;
  banner.onStop(() => (stops += 1));
  banner.setText('Ann, Bob');
  await change('winlogon');
  other.listeners.stop();
  own.listeners.stop();
  await ask('May she?', 10);
  banner.setText('Bob');
  banner.close();

  assert.equal(stops, 2);
  assert.deepEqual(log, [
    'own Ann, Bob',
    'other Ann, Bob',
    'other May she?',
    'own Bob',
    'other Bob',
    'other closed',
    'other banner closed Ann, Bob',
    'own banner closed Ann',
  ]);
});
