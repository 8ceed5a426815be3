/** What is left of the clipboard of a GNOME desktop that cannot be opened, over a bus that the test plays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BusObject, SessionBus } from '../dbus/session-bus.ts';
import { openMutterClipboard } from './clipboard.ts';

/** Mutter without a clipboard: which of its sessions are open, and which of its signals are listened to. */
function playMutter() {
  const sessions = new Set<string>();
  const signals = new Set<string>();
  const replies: Record<string, (object: BusObject) => unknown> = {
    CreateSession: () => '/session',
    Start: ({ path }) => sessions.add(path),
    Stop: ({ path }) => sessions.delete(path),
    EnableClipboard() {
      throw new Error('The clipboard is in use.');
    },
  };
  const bus: Partial<SessionBus> = {
    call: async <Result>(object: BusObject, member: string) => replies[member]?.(object) as Result,
    async onSignal(_object, member) {
      signals.add(member);
      return () => void signals.delete(member);
    },
  };
  return { bus: bus as SessionBus, sessions, signals };
}

test('a clipboard that Mutter refuses leaves neither a session nor a subscription', async () => {
  const { bus, sessions, signals } = playMutter();

  await assert.rejects(openMutterClipboard(bus), /in use/);

  assert.deepEqual([...sessions, ...signals], []);
});
