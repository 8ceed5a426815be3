/** Mouse and keyboard input on a GNOME desktop through Mutter. */
import type { DesktopInput } from '../../../desktop.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import { createBusInput, notchDistance, unknownKey, type InputSink, type BusInput } from '../bus-input.ts';
import { displayConfig, readMutterLayout } from './display-config.ts';
import { watchLocks, type Locks } from './locks.ts';
import { keepStarted, restartDelayMs } from './keep-started.ts';
import { openMutterKeys } from './keys.ts';
import { startMutterSession, type MutterSession } from './mutter-session.ts';

/** The flag for scrolling as a touchpad does. */
const continuous = 8;

interface InputSession extends MutterSession {
  locks: Locks;
}

interface State {
  bus: SessionBus;
  session: InputSession;
  /** Starts the next session, for the monitors as they are then. */
  startSession(): Promise<InputSession>;
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
    state.startSession = () => startInputSession(bus, onClosed);
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

async function startInputSession(bus: SessionBus, onClosed: () => void): Promise<InputSession> {
  const session = await startMutterSession(bus, onClosed, (await readMutterLayout(bus)).area);
  try {
    for (const isDown of [true, false])
      await bus.call(session.object, 'NotifyKeyboardKeycode', 'ub', unknownKey, isDown);
    const locks = await watchLocks(bus, session.object);
    const close = (): void => {
      locks.close();
      session.close();
    };
    return { ...session, locks, close };
  } catch (error) {
    session.close();
    throw error;
  }
}

/** A failure shows in the picture's own connection. */
function sinkOf(state: State): InputSink {
  const notify = (member: string, signature: string, ...values: unknown[]): void =>
    void state.bus.call(state.session.object, member, signature, ...values).catch(() => {});
  return {
    key: (code, down) => notify('NotifyKeyboardKeycode', 'ub', code, down),
    move: (x, y) => notify('NotifyPointerMotionAbsolute', 'sdd', state.session.stream, x, y),
    button: (code, down) => notify('NotifyPointerButton', 'ib', code, down),
    turn: (axis, notches) => notify('NotifyPointerAxisDiscrete', 'ui', axis, notches),
    scroll: (x, y) => notify('NotifyPointerAxis', 'ddu', x * notchDistance, y * notchDistance, continuous),
    locks: () => state.session.locks.current(),
  };
}

/** Positions refer to the monitors as they were when a session started, so changes start a new one. */
async function restartSession(state: State, remote: BusInput): Promise<void> {
  if (remote.isClosed()) return;
  state.session.close();
  try {
    state.session = await state.startSession();
  } catch {
    // Mutter may be too busy to answer while it changes its monitors.
    setTimeout(() => remote.inOrder(() => restartSession(state, remote)), restartDelayMs).unref();
    return;
  }
  if (remote.isClosed()) state.session.close();
}
