/** Mouse and keyboard input for desktops that take keycodes, positions and notches of the wheel over the session bus. */
import type { DesktopInput } from '../../desktop.ts';
import { createLayoutKeyboard, type KeyDevice } from '../layout-keyboard.ts';
import { keycodes } from '../keysyms.ts';
import { createWheel } from '../wheel.ts';
import { stateBits } from '../x11/keyboard/key-map.ts';

/** What receives the input. Calls arrive in order. */
export interface InputSink {
  /** The kernel's number of the key. */
  key(code: number, down: boolean): void;
  move(x: number, y: number): void;
  /** The kernel's number of the button. */
  button(code: number, down: boolean): void;
  turn(axis: number, isForward: boolean): void;
}

export interface BusInput {
  input: DesktopInput;
  /** Runs work between events. A reset does not drop it. */
  inOrder(work: () => Promise<void>): void;
  /** The desktop has released everything that was pressed. */
  released(): void;
  isClosed(): boolean;
}

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
  sink: InputSink;
  keyboard: ReturnType<typeof createLayoutKeyboard>;
  /** The pressed keycodes. */
  held: Set<number>;
  /** Keys run in order, because they wait for the keyboard map. */
  queue: Promise<void>;
  /** Grows with every reset, so that older work in the queue is dropped. */
  resets: number;
  buttons: number;
  isClosed: boolean;
}

/** `openKeys` opens the keyboard, which presses its keys with `send`. `onClose` is called once. */
export async function createBusInput(
  sink: InputSink,
  openKeys: (send: KeyDevice['send']) => Promise<KeyDevice>,
  onClose: () => void,
): Promise<BusInput> {
  const held = new Set<number>();
  const keyboard = createLayoutKeyboard(
    await openKeys((keycode, down) => {
      held[down ? 'add' : 'delete'](keycode);
      sink.key(keycode - kernelOffset, down);
    }),
  );
  const state: State = {
    sink,
    keyboard,
    held,
    queue: Promise.resolve(),
    resets: 0,
    buttons: 0,
    isClosed: false,
  };
  return {
    input: toInput(state, onClose),
    inOrder: (work) => void (state.queue = state.queue.then(work).catch(() => {})),
    released() {
      state.buttons = 0;
      keyboard.releaseAll();
    },
    isClosed: () => state.isClosed,
  };
}

function toInput(state: State, onClose: () => void): DesktopInput {
  const { sink, keyboard } = state;
  const [turnX, turnY] = [axes.horizontal, axes.vertical].map((axis) =>
    createWheel((isForward) => sink.turn(axis, isForward)),
  );
  return {
    pointer: (x, y, buttons) =>
      enqueue(state, () => {
        sink.move(x, y);
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
      onClose();
    },
  };
}

function enqueue(state: State, work: () => void | Promise<void>): void {
  const { resets } = state;
  state.queue = state.queue
    .then(() => (state.isClosed || resets !== state.resets ? undefined : work()))
    .catch(() => {});
}

function setButtons(state: State, buttons: number): void {
  for (const [bit, button] of buttonsOf.entries())
    if (((buttons ^ state.buttons) >> bit) & 1) state.sink.button(button, ((buttons >> bit) & 1) === 1);
  state.buttons = buttons;
}

/** The modifiers that the operator holds; desktops do not tell those of the person at the device. */
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
