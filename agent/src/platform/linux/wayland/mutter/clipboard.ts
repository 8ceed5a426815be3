/** Synchronizes the text clipboard with a GNOME desktop in both directions. */
import type { Clipboard } from '../../../desktop.ts';
import { variant, type BusObject, type SessionBus } from '../dbus/session-bus.ts';
import {
  createSelectionClipboard,
  type SelectionCalls,
  type SelectionClipboard,
} from '../selection-clipboard.ts';
import { keepStarted } from './keep-started.ts';
import { startMutterSession } from './mutter-session.ts';

interface Owner {
  'mime-types'?: unknown[];
  'session-is-owner'?: boolean;
}

interface State {
  bus: SessionBus;
  /** Undefined until it has started; another one after Mutter has ended it. */
  session: BusObject | undefined;
}

export async function openMutterClipboard(bus: SessionBus): Promise<Clipboard> {
  const state: State = { bus, session: undefined };
  const clipboard = createSelectionClipboard(callsOf(state));
  const close = await keepStarted((onClosed) => start(state, clipboard, onClosed));
  return {
    ...clipboard,
    close() {
      clipboard.close();
      close();
    },
  };
}

const callsOf = (state: State): SelectionCalls => ({
  offer: (types) =>
    state.bus.call(state.session!, 'SetSelection', 'a{sv}', { 'mime-types': variant('as', types) }),
  read: (type) => state.bus.call(state.session!, 'SelectionRead', 's', type),
  write: (serial) => state.bus.call(state.session!, 'SelectionWrite', 'u', serial),
  written: (serial, isWritten) =>
    state.bus.call(state.session!, 'SelectionWriteDone', 'ub', serial, isWritten),
});

async function start(state: State, clipboard: SelectionClipboard, onClosed: () => void): Promise<() => void> {
  const { bus } = state;
  const { object, close } = await startMutterSession(bus, onClosed);
  const stops = [close];
  const stop = (): void => stops.forEach((each) => each());
  state.session = object;
  try {
    stops.push(
      await bus.onSignal(object, 'SelectionOwnerChanged', (owner) => {
        const { 'mime-types': types, 'session-is-owner': isOwn = false } = owner as Owner;
        void clipboard.ownerChanged([types ?? []].flat(2), isOwn);
      }),
    );
    stops.push(
      await bus.onSignal(
        object,
        'SelectionTransfer',
        (_, serial) => void clipboard.requested(serial as number),
      ),
    );
    await bus.call(object, 'EnableClipboard', 'a{sv}', {});
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}
