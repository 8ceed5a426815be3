/** Mouse and keyboard input on an X11 display through the XTEST extension. */
import type x11 from 'x11';
import type { DesktopInput } from '../../desktop.ts';
import { createLayoutKeyboard, type LayoutKeyboard } from '../layout-keyboard.ts';
import { createWheel } from '../wheel.ts';
import type { X11Connection } from './connection.ts';
import { openX11Keys } from './keyboard/x11-keys.ts';

const fake = { keyDown: 2, keyUp: 3, buttonDown: 4, buttonUp: 5, motion: 6 } as const;
/** The X11 buttons for our bits: left, middle, right, back, forward. */
const buttonsOf = [1, 2, 3, 8, 9];
const wheel = { up: 4, down: 5, left: 6, right: 7 } as const;
const maxCoordinate = 32_767;

interface State {
  connection: X11Connection;
  xtest: x11.Extensions['xtest'];
  keyboard: LayoutKeyboard;
  /** Work runs in order, because a key first asks the display for its state. */
  queue: Promise<void>;
  /** Grows with every reset, so that older work in the queue is dropped. */
  resets: number;
  buttons: number;
  isClosed: boolean;
}

export async function openInput(connection: X11Connection): Promise<DesktopInput> {
  const { root } = connection;
  const xtest = await connection.extension('xtest');
  const keys = await openX11Keys(connection, (keycode, down) =>
    xtest.FakeInput(down ? fake.keyDown : fake.keyUp, keycode, 0, root, 0, 0),
  );
  const keyboard = createLayoutKeyboard(keys);
  const queue = Promise.resolve();
  const state: State = { connection, xtest, keyboard, queue, resets: 0, buttons: 0, isClosed: false };
  const turnX = createWheel((isForward) => click(state, isForward ? wheel.right : wheel.left));
  const turnY = createWheel((isForward) => click(state, isForward ? wheel.down : wheel.up));
  return {
    pointer: (x, y, buttons) =>
      enqueue(state, () => {
        xtest.FakeInput(fake.motion, 0, 0, root, clamp(x), clamp(y));
        setButtons(state, buttons);
      }),
    wheel: (deltaX, deltaY) =>
      enqueue(state, () => {
        turnX(deltaX);
        turnY(deltaY);
      }),
    key: (down, code, key) =>
      enqueue(state, async () =>
        down ? keyboard.down(code, key, await modifiersOf(connection)) : keyboard.up(code, key),
      ),
    text(text) {
      for (const character of text)
        enqueue(state, async () => keyboard.tap(character, await modifiersOf(connection)));
    },
    reset: () => reset(state),
    close: () => close(state),
  };
}

function enqueue(state: State, work: () => void | Promise<void>): void {
  const { resets } = state;
  state.queue = state.queue
    .then(() => (state.isClosed || resets !== state.resets ? undefined : work()))
    .catch(() => {});
}

function click({ xtest, connection: { root } }: State, button: number): void {
  xtest.FakeInput(fake.buttonDown, button, 0, root, 0, 0);
  xtest.FakeInput(fake.buttonUp, button, 0, root, 0, 0);
}

function setButtons(state: State, buttons: number): void {
  const { xtest, connection } = state;
  for (const [bit, button] of buttonsOf.entries())
    if (((buttons ^ state.buttons) >> bit) & 1) {
      const kind = (buttons >> bit) & 1 ? fake.buttonDown : fake.buttonUp;
      xtest.FakeInput(kind, button, 0, connection.root, 0, 0);
    }
  state.buttons = buttons;
}

async function modifiersOf({ client, root, call }: X11Connection): Promise<number> {
  const { keyMask } = await call<{ keyMask: number }>((done) => client.QueryPointer(root, done));
  return keyMask;
}

function reset(state: State): void {
  state.resets += 1;
  setButtons(state, 0);
  // Queued, so that it runs after a key that is being pressed at the moment.
  enqueue(state, () => state.keyboard.releaseAll());
}

function close(state: State): void {
  if (state.isClosed) return;
  state.isClosed = true;
  setButtons(state, 0);
  state.keyboard.close();
}

const clamp = (position: number): number => Math.min(Math.max(position, 0), maxCoordinate);
