/** Synchronizes the text clipboard with a GNOME desktop in both directions. */
import type { Clipboard } from '../../../desktop.ts';
import { longestText } from '../../x11/selection-atoms.ts';
import { variant, type BusObject, type SessionBus } from '../dbus/session-bus.ts';
import { readTextPipe, writeTextPipe } from '../text-pipe.ts';
import { keepStarted } from './keep-started.ts';
import { startMutterSession } from './mutter-session.ts';

/** The best first. */
const textTypes = ['text/plain;charset=utf-8', 'UTF8_STRING', 'text/plain'];

interface Owner {
  'mime-types'?: unknown[];
  'session-is-owner'?: boolean;
}

interface State {
  bus: SessionBus;
  /** Undefined until it has started; another one after Mutter has ended it. */
  session: BusObject | undefined;
  listeners: Set<(text: string) => void>;
  /** The text that both sides have; it is not sent again, because that would cause an endless loop. */
  current: string | undefined;
  /** Grows with every change of the owner, so that the text of an earlier one is dropped. */
  changes: number;
}

export async function openMutterClipboard(bus: SessionBus): Promise<Clipboard> {
  const state: State = { bus, session: undefined, listeners: new Set(), current: undefined, changes: 0 };
  const close = await keepStarted((onClosed) => start(state, onClosed));
  return {
    onChange: (listener) => void state.listeners.add(listener),
    write: (text) => write(state, text),
    close() {
      state.listeners.clear();
      close();
    },
  };
}

async function start(state: State, onClosed: () => void): Promise<() => void> {
  const { bus } = state;
  const { object, close } = await startMutterSession(bus, onClosed);
  state.session = object;
  const stops = await Promise.all([
    bus.onSignal(object, 'SelectionOwnerChanged', (owner) => void readOwner(state, owner as Owner)),
    bus.onSignal(object, 'SelectionTransfer', (_, serial) => void writeSelection(state, serial as number)),
  ]);
  await bus.call(object, 'EnableClipboard', 'a{sv}', {});
  return () => {
    stops.forEach((stop) => stop());
    close();
  };
}

function write(state: State, text: string): void {
  if (Buffer.byteLength(text) > longestText) return;
  state.changes += 1;
  state.current = text.replaceAll('\r\n', '\n');
  const options = { 'mime-types': variant('as', textTypes) };
  void state.bus.call(state.session!, 'SetSelection', 'a{sv}', options).catch(() => {});
}

/** Text that this session has set is not reported, nor what is not text. */
async function readOwner(state: State, owner: Owner): Promise<void> {
  const { bus, session, listeners } = state;
  const change = (state.changes += 1);
  const offered = [owner['mime-types'] ?? []].flat(2);
  const type = textTypes.find((each) => offered.includes(each));
  if (owner['session-is-owner'] || type === undefined) return;
  const fd = await bus.call<number>(session!, 'SelectionRead', 's', type).catch(() => undefined);
  const text = fd === undefined ? undefined : await readTextPipe(fd);
  if (text === undefined || text === state.current || change !== state.changes) return;
  state.current = text;
  listeners.forEach((listener) => listener(text));
}

async function writeSelection({ bus, session, current = '' }: State, serial: number): Promise<void> {
  const fd = await bus.call<number>(session!, 'SelectionWrite', 'u', serial).catch(() => undefined);
  if (fd === undefined) return;
  const isWritten = await writeTextPipe(fd, current);
  await bus.call(session!, 'SelectionWriteDone', 'ub', serial, isWritten).catch(() => {});
}
