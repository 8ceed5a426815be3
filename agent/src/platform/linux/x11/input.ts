/** Mouse and keyboard of an X11 display, moved through the extension XTEST. */
import type { DesktopInput } from '../../desktop.ts';
import { createWheel } from '../wheel.ts';
import type { X11Connection } from './connection.ts';
import { openX11Keyboard } from './x11-keyboard.ts';

const fake = { keyDown: 2, keyUp: 3, buttonDown: 4, buttonUp: 5, motion: 6 } as const;
/** The display's buttons for the bits of ours: left, middle, right, back, forward. */
const buttonsOf = [1, 2, 3, 8, 9];
const wheel = { up: 4, down: 5, left: 6, right: 7 } as const;
const maxCoordinate = 32_767;

export async function openInput(connection: X11Connection): Promise<DesktopInput> {
  const { client, root, call } = connection;
  const xtest = await connection.extension('xtest');
  const keyboard = await openX11Keyboard(connection, (keycode, down) =>
    xtest.FakeInput(down ? fake.keyDown : fake.keyUp, keycode, 0, root, 0, 0),
  );
  // What follows waits for what came before: a key asks the display for its state first.
  let queue = Promise.resolve();
  let [isClosed, turn] = [false, 0];
  const next = (work: () => void | Promise<void>): void => {
    const own = turn;
    queue = queue.then(() => (isClosed || own !== turn ? undefined : work())).catch(() => {});
  };
  const press = (button: number): void => {
    xtest.FakeInput(fake.buttonDown, button, 0, root, 0, 0);
    xtest.FakeInput(fake.buttonUp, button, 0, root, 0, 0);
  };
  let buttons = 0;
  const setButtons = (now: number): void => {
    for (const [bit, button] of buttonsOf.entries())
      if (((now ^ buttons) >> bit) & 1)
        xtest.FakeInput((now >> bit) & 1 ? fake.buttonDown : fake.buttonUp, button, 0, root, 0, 0);
    buttons = now;
  };
  const turnX = createWheel((forth) => press(forth ? wheel.right : wheel.left));
  const turnY = createWheel((forth) => press(forth ? wheel.down : wheel.up));
  const state = async (): Promise<number> =>
    (await call<{ keyMask: number }>((done) => client.QueryPointer(root, done))).keyMask;

  return {
    pointer: (x, y, now) =>
      next(() => {
        xtest.FakeInput(fake.motion, 0, 0, root, clamp(x), clamp(y));
        setButtons(now);
      }),
    wheel: (deltaX, deltaY) =>
      next(() => {
        turnX(deltaX);
        turnY(deltaY);
      }),
    key: (down, code, key) =>
      next(async () => (down ? keyboard.down(code, key, await state()) : keyboard.up(code, key))),
    text(text) {
      for (const character of text) next(async () => keyboard.tap(character, await state()));
    },
    reset() {
      turn += 1;
      setButtons(0);
      // After the key that is just being pressed, if one is.
      next(() => keyboard.releaseAll());
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      setButtons(0);
      keyboard.close();
    },
  };
}

const clamp = (place: number): number => Math.min(Math.max(place, 0), maxCoordinate);
