/** Mouse and keyboard input for desktops that take keycodes, positions and turns of the wheel over the session bus. */
import type { DesktopInput } from '../../desktop.ts';
import { createLayoutKeyboard, type KeyDevice } from '../layout-keyboard.ts';
import { stateBits } from '../x11/keyboard/key-map.ts';

/** What receives the input. Calls arrive in order. */
export interface InputSink {
  /** The kernel's number of the key. */
  key(code: number, down: boolean): void;
  move(x: number, y: number): void;
  /** The kernel's number of the button. */
  button(code: number, down: boolean): void;
  /** Turns the wheel by whole notches. */
  turn(axis: number, notches: number): void;
  /** Scrolls as a touchpad does, in parts of a notch. */
  scroll(notchesX: number, notchesY: number): void;
  /** The modifier bits of CapsLock and NumLock, as far as the desktop tells them. */
  locks(): number;
}

export interface BusInput {
  input: DesktopInput;
  /** Runs work between events. A reset does not drop it. */
  inOrder(work: () => Promise<void>): void;
  /** The desktop has released everything that was pressed. */
  released(): void;
  isClosed(): boolean;
}

/** What a notch of the wheel is in the unit of touchpads, on all compositors. */
export const notchDistance = 10;
/** The kernel's names of our buttons: left, middle, right, back, forward. */
const buttonsOf = [0x110, 0x112, 0x111, 0x113, 0x114];
export const axes = { vertical: 0, horizontal: 1 } as const;
/** The distance of one notch. */
const notch = 120;
/** What one message of an operator can scroll at most. */
const maxNotches = 50;
/** Their effect is already in the characters that the operator's keyboard gives. */
const lockKeys: ReadonlySet<string> = new Set(['CapsLock', 'NumLock']);
/** Keycodes are those of the kernel plus 8. */
const kernelOffset = 8;
/** The kernel's key without a meaning. A device without a keyboard gets one when the first key is pressed, which programs miss. */
export const unknownKey = 240;
const altGrBit = 1 << 7;
const modifierCodes: readonly (readonly [string, number])[] = [
  ['ShiftLeft', stateBits.shift],
  ['ShiftRight', stateBits.shift],
  ['ControlLeft', stateBits.control],
  ['ControlRight', stateBits.control],
  ['AltLeft', stateBits.alt],
  ['AltRight', altGrBit],
];

interface State {
  sink: InputSink;
  keyboard: ReturnType<typeof createLayoutKeyboard>;
  /** The keys that the operator holds, by KeyboardEvent.code. */
  held: Set<string>;
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
  const held = new Set<string>();
  const keyboard = createLayoutKeyboard(
    await openKeys((keycode, down) => sink.key(keycode - kernelOffset, down)),
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
      held.clear();
      keyboard.releaseAll();
    },
    isClosed: () => state.isClosed,
  };
}

function toInput(state: State, onClose: () => void): DesktopInput {
  const { sink, keyboard } = state;
  return {
    pointer: (x, y, buttons) =>
      enqueue(state, () => {
        sink.move(x, y);
        setButtons(state, buttons);
      }),
    wheel: (deltaX, deltaY) => enqueue(state, () => turnWheel(sink, deltaX, deltaY)),
    key(down, code, key) {
      if (lockKeys.has(key)) return;
      enqueue(state, () => {
        const modifiers = modifiersOf(state);
        state.held[down ? 'add' : 'delete'](code);
        return down ? keyboard.down(code, key, modifiers) : keyboard.up(code, key);
      });
    },
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

const toNotches = (delta: number): number => Math.max(-maxNotches, Math.min(maxNotches, delta / notch));

/** Whole notches are those of a wheel, and other distances those of a touchpad. */
function turnWheel(sink: InputSink, deltaX: number, deltaY: number): void {
  const [x, y] = [toNotches(deltaX), toNotches(deltaY)];
  if (!Number.isInteger(x) || !Number.isInteger(y)) return sink.scroll(x, y);
  if (x !== 0) sink.turn(axes.horizontal, x);
  if (y !== 0) sink.turn(axes.vertical, y);
}

function setButtons(state: State, buttons: number): void {
  for (const [bit, button] of buttonsOf.entries())
    if (((buttons ^ state.buttons) >> bit) & 1) state.sink.button(button, ((buttons >> bit) & 1) === 1);
  state.buttons = buttons;
}

/** The modifiers that the operator holds, and the locks; desktops do not tell what the person at the device holds. */
const modifiersOf = ({ held, sink }: State): number =>
  modifierCodes.reduce((bits, [code, bit]) => (held.has(code) ? bits | bit : bits), sink.locks());

function reset(state: State): void {
  state.resets += 1;
  setButtons(state, 0);
  // Queued, so that it runs after a key that is being pressed at the moment.
  enqueue(state, () => {
    state.held.clear();
    state.keyboard.releaseAll();
  });
}
