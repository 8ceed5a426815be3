/** Mouse and keyboard input on a GNOME desktop through Mutter. */
import type { DesktopInput } from '../../../desktop.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import { createBusInput, type InputSink, type BusInput } from '../bus-input.ts';
import { displayConfig, readMutterLayout } from './display-config.ts';
import { keepStarted } from './keep-started.ts';
import { openMutterKeys } from './keys.ts';
import { startMutterSession, type MutterSession } from './mutter-session.ts';

interface State {
  bus: SessionBus;
  session: MutterSession;
  /** Starts the next session, for the monitors as they are then. */
  startSession(): Promise<MutterSession>;
  close(): void;
}

export async function openMutterInput(bus: SessionBus): Promise<DesktopInput> {
  const state = { bus, close: () => {} } as State;
  const remote = await createBusInput(
    sinkOf(state),
    (send) => openMutterKeys(bus, send),
    () => state.close(),
  );
  const stop = await keepStarted(async (onClosed) => {
    state.startSession = async () => startMutterSession(bus, onClosed, (await readMutterLayout(bus)).area);
    state.session = await state.startSession();
    // Mutter has released everything with the session before.
    remote.released();
    return () => state.session.close();
  });
  const unsubscribe = await bus.onSignal(displayConfig, 'MonitorsChanged', () =>
    remote.inOrder(() => restartSession(state, remote)),
  );
  state.close = () => {
    unsubscribe();
    stop();
  };
  return remote.input;
}

/** A failure shows in the picture's own connection. */
function sinkOf(state: State): InputSink {
  const notify = (member: string, signature: string, ...values: unknown[]): void =>
    void state.bus.call(state.session.object, member, signature, ...values).catch(() => {});
  return {
    key: (code, down) => notify('NotifyKeyboardKeycode', 'ub', code, down),
    move: (x, y) => notify('NotifyPointerMotionAbsolute', 'sdd', state.session.stream, x, y),
    button: (code, down) => notify('NotifyPointerButton', 'ib', code, down),
    turn: (axis, isForward) => notify('NotifyPointerAxisDiscrete', 'ui', axis, isForward ? 1 : -1),
  };
}

/** Positions refer to the monitors as they were when a session started, so changes start a new one. */
async function restartSession(state: State, remote: BusInput): Promise<void> {
  if (remote.isClosed()) return;
  state.session.close();
  state.session = await state.startSession();
  if (remote.isClosed()) state.session.close();
}
