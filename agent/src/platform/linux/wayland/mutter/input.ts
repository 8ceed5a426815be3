/** Mouse and keyboard input on a GNOME desktop through Mutter. */
import type { DesktopInput } from '../../../desktop.ts';
import { createLayoutKeyboard, type LayoutKeyboard } from '../../layout-keyboard.ts';
import { keycodes } from '../../keysyms.ts';
import { createWheel } from '../../wheel.ts';
import { stateBits } from '../../x11/keyboard/key-map.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import { displayConfig, readMutterLayout } from './display-config.ts';
import { keepStarted } from './keep-started.ts';
import { openMutterKeys } from './keys.ts';
import { startMutterSession, type MutterSession } from './mutter-session.ts';

/** The kernel's names of our buttons: left, middle, right, back, forward. */
const buttonsOf = [0x110, 0x112, 0x111, 0x113, 0x114];
const axes = { vertical: 0, horizontal: 1 } as const;
/** Keycodes are those of the kernel plus 8. */
const kernelOffset = 8;
const altGrBit = 1 << 7;
const modifierCodes: readonly (readonly [string, number])[] = [
  ['ShiftLeft', stateBits.shift],
  ['ShiftRight', stateBits.shift],
  ['ControlLeft', stateBits.control],
  ['ControlRight', stateBits.control],
  ['AltLeft', stateBits.alt],
];

interface State {
  bus: SessionBus;
  session: MutterSession;
  /** Starts the next session, for the monitors as they are then. */
  startSession(): Promise<MutterSession>;
  keyboard: LayoutKeyboard;
  /** The pressed keycodes. */
  held: Set<number>;
  /** Keys run in order, because they wait for the keyboard map. */
  queue: Promise<void>;
  /** Grows with every reset, so that older work in the queue is dropped. */
  resets: number;
  buttons: number;
  isClosed: boolean;
}

export async function openMutterInput(bus: SessionBus): Promise<DesktopInput> {
  const held = new Set<number>();
  const keys = await openMutterKeys(bus, (keycode, down) => {
    held[down ? 'add' : 'delete'](keycode);
    notify(state, 'NotifyKeyboardKeycode', 'ub', keycode - kernelOffset, down);
  });
  const keyboard = createLayoutKeyboard(keys);
  const state = { bus, keyboard, held, queue: Promise.resolve(), resets: 0, buttons: 0 } as State;
  const stop = await keepStarted(async (onClosed) => {
    state.startSession = async () => startMutterSession(bus, onClosed, (await readMutterLayout(bus)).area);
    state.session = await state.startSession();
    // Mutter has released everything with the session before.
    state.buttons = 0;
    keyboard.releaseAll();
    return () => state.session.close();
  });
  const unsubscribe = await followMonitors(state);
  return toInput(state, () => {
    unsubscribe();
    stop();
  });
}

/** Not with `enqueue`, because a reset of the keys must not drop it. */
const followMonitors = (state: State): Promise<() => void> =>
  state.bus.onSignal(displayConfig, 'MonitorsChanged', () => {
    state.queue = state.queue.then(() => restartSession(state)).catch(() => {});
  });

/** Positions refer to the monitors as they were when a session started, so changes start a new one. */
async function restartSession(state: State): Promise<void> {
  if (state.isClosed) return;
  state.session.close();
  state.session = await state.startSession();
  if (state.isClosed) state.session.close();
}

function toInput(state: State, stop: () => void): DesktopInput {
  const { keyboard } = state;
  const [turnX, turnY] = [axes.horizontal, axes.vertical].map((axis) =>
    createWheel((isForward) => notify(state, 'NotifyPointerAxisDiscrete', 'ui', axis, isForward ? 1 : -1)),
  );
  return {
    pointer: (x, y, buttons) =>
      enqueue(state, () => {
        notify(state, 'NotifyPointerMotionAbsolute', 'sdd', state.session.stream, x, y);
        setButtons(state, buttons);
      }),
    wheel: (deltaX, deltaY) =>
      enqueue(state, () => {
        turnX!(deltaX);
        turnY!(deltaY);
      }),
    key: (down, code, key) =>
      enqueue(state, () => (down ? keyboard.down(code, key, modifiersOf(state)) : keyboard.up(code, key))),
    text(text) {
      for (const character of text) enqueue(state, () => keyboard.tap(character, modifiersOf(state)));
    },
    reset: () => reset(state),
    close() {
      if (state.isClosed) return;
      setButtons(state, 0);
      state.isClosed = true;
      keyboard.close();
      stop();
    },
  };
}

/** Calls arrive in order, and a failure shows in the picture's own connection. */
function notify({ bus, session }: State, member: string, signature: string, ...values: unknown[]): void {
  void bus.call(session.object, member, signature, ...values).catch(() => {});
}

function enqueue(state: State, work: () => void | Promise<void>): void {
  const { resets } = state;
  state.queue = state.queue
    .then(() => (state.isClosed || resets !== state.resets ? undefined : work()))
    .catch(() => {});
}

function setButtons(state: State, buttons: number): void {
  for (const [bit, button] of buttonsOf.entries())
    if (((buttons ^ state.buttons) >> bit) & 1)
      notify(state, 'NotifyPointerButton', 'ib', button, ((buttons >> bit) & 1) === 1);
  state.buttons = buttons;
}

/** The modifiers that the operator holds; Mutter does not tell those of the person at the device. */
function modifiersOf({ held }: State): number {
  const altGr = held.has(keycodes.get('AltRight')!) ? altGrBit : 0;
  return modifierCodes.reduce(
    (bits, [code, bit]) => (held.has(keycodes.get(code)!) ? bits | bit : bits),
    altGr,
  );
}

function reset(state: State): void {
  state.resets += 1;
  setButtons(state, 0);
  // Queued, so that it runs after a key that is being pressed at the moment.
  enqueue(state, () => state.keyboard.releaseAll());
}
