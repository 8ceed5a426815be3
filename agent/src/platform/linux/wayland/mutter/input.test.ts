/** Tests that input on a GNOME desktop follows its monitors, over a bus that the test plays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLibrary, loadKoffi } from '../../../native.ts';
import type { BusObject, SessionBus } from '../dbus/session-bus.ts';
import { openMutterInput } from './input.ts';

const koffi = await loadKoffi();
const skip = !(koffi && findLibrary(koffi, ['libxkbcommon.so.0'])) && 'libxkbcommon is not installed';

const name = ['DP-1', '', '', ''];
const mode = ['mode', 800, 600, 60, 1, [1], { 'is-current': true }];
const monitors = [1, [[name, [mode], {}]], [[0, 0, 1, 0, true, [name], {}]], {}];

/** Mutter with one monitor: which sessions for input were started and stopped. */
function playMutter() {
  const sessions: string[] = [];
  const signals = new Map<string, () => void>();
  let last = 0;
  const replies: Record<string, (object: BusObject) => unknown> = {
    CreateSession: () => `/session/${(last += 1)}`,
    RecordArea: () => '/stream',
    Read: () => [],
    Start: ({ path }) => sessions.push(`started ${path}`),
    Stop: ({ path }) => sessions.push(`stopped ${path}`),
  };
  const bus: SessionBus = {
    name: ':1.1',
    call: async <Result>(object: BusObject, member: string) => replies[member]?.(object) as Result,
    callAll: async <Result extends unknown[]>() => monitors as unknown[] as Result,
    property: async <Value>() => 'id' as Value,
    async onSignal(_object, member, listener) {
      signals.set(member, listener);
      return () => void signals.delete(member);
    },
    onClose: () => {},
    close: () => {},
  };
  return { bus, sessions, changeMonitors: () => signals.get('MonitorsChanged')!() };
}

/** Lets everything happen that needs no time. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};

test('input follows a change of the monitors, also if it is reset at that moment', { skip }, async () => {
  const { bus, sessions, changeMonitors } = playMutter();
  const input = await openMutterInput(bus);
  changeMonitors();
  input.reset();
  await settle();

  assert.deepEqual(sessions, ['started /session/1', 'stopped /session/1', 'started /session/3']);
});

test('input that is closed during a change of the monitors leaves no session', { skip }, async () => {
  const { bus, sessions, changeMonitors } = playMutter();
  const input = await openMutterInput(bus);
  changeMonitors();
  while (!sessions.includes('stopped /session/1')) await Promise.resolve();
  input.close();
  await settle();

  assert.equal(sessions.at(-1), 'stopped /session/3');
});

test(
  'input returns after a change of the monitors for which Mutter was too busy',
  { skip },
  async (context) => {
    const { bus, sessions, changeMonitors } = playMutter();
    const { callAll } = bus;
    const input = await openMutterInput(bus);
    context.mock.timers.enable({ apis: ['setTimeout'] });
    bus.callAll = () => Promise.reject(new Error('no reply'));
    changeMonitors();
    await settle();
    bus.callAll = callAll;
    context.mock.timers.tick(1_000);
    await settle();

    assert.match(sessions.at(-1)!, /^started /);
    input.close();
  },
);
