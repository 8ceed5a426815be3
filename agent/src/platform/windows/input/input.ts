/** Mouse and keyboard input through SendInput. */
import type { DesktopInput } from '../../desktop.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { desktopArea } from '../screen/bitmap.ts';
import { currentLayout } from './key-layout.ts';
import { createKeyboard, type KeySink } from './keyboard.ts';
import { openSecureAttention, type SecureAttention } from './secure-attention.ts';
import { sendCharacter, sendKey, sendMouse } from './send-input.ts';

/** Flags of mouse events: positions are relative to the whole desktop. */
const flags = {
  move: 0x0001,
  wheel: 0x0800,
  wheelSideways: 0x1000,
  wholeDesktop: 0x4000,
  absolute: 0x8000,
} as const;
/** The flags of pressing and releasing, and the number of the button. Our bits are left, middle, right, back and forward. */
type Button = readonly [down: number, up: number, data: number];
const [left, middle, right]: readonly Button[] = [
  [0x02, 0x04, 0],
  [0x20, 0x40, 0],
  [0x08, 0x10, 0],
];
const further: readonly Button[] = [
  [0x80, 0x100, 1],
  [0x80, 0x100, 2],
];
/** Windows swaps left and right again for a person who has swapped them, so that the operator's left button is the main one. */
const buttonsOf = (isSwapped: boolean): readonly Button[] =>
  isSwapped ? [right!, middle!, left!, ...further] : [left!, middle!, right!, ...further];
const buttonsAreSwapped = 23;
/** Positions are fractions of this. */
const fullScale = 65_536;
const maxWheel = 6_000;
const capsLock = 0x14;

export function openInput(api: WindowsApi): DesktopInput {
  const secureAttention = openSecureAttention(api);
  const keyboard = createKeyboard(createSink(api, secureAttention));
  let held = 0;
  let order = buttonsOf(false);
  const setButtons = (buttons: number): void => {
    // A button is released as it was pressed.
    if (held === 0 && buttons !== 0) order = buttonsOf(api.GetSystemMetrics(buttonsAreSwapped) !== 0);
    for (const [bit, [down, up, data]] of order.entries())
      if (((buttons ^ held) >> bit) & 1) sendMouse(api, { flags: (buttons >> bit) & 1 ? down : up, data });
    held = buttons;
  };
  const releaseAll = (): void => {
    keyboard.releaseAll();
    setButtons(0);
  };
  return {
    pointer(x, y, buttons) {
      movePointer(api, x, y);
      setButtons(buttons);
    },
    wheel(deltaX, deltaY) {
      if (deltaY !== 0) sendMouse(api, { flags: flags.wheel, data: clampWheel(-deltaY) });
      if (deltaX !== 0) sendMouse(api, { flags: flags.wheelSideways, data: clampWheel(deltaX) });
    },
    key: keyboard.key,
    text: keyboard.text,
    reset: releaseAll,
    close() {
      releaseAll();
      secureAttention.close();
    },
  };
}

function createSink(api: WindowsApi, { send }: SecureAttention): KeySink {
  return {
    layout: () => currentLayout(api),
    isCapsLockOn: () => (api.GetKeyState(capsLock) & 1) !== 0,
    send: ({ code, isExtended }, down) =>
      sendKey(api, { virtualKey: code, scanCode: currentLayout(api).scanCode(code), isExtended, down }),
    sendCharacter: (character) => sendCharacter(api, character),
    secureAttention: send,
  };
}

/** Rounded up, because Windows rounds down when it converts the fraction to a pixel. */
function movePointer(api: WindowsApi, x: number, y: number): void {
  const { width, height } = desktopArea(api);
  const fraction = (position: number, size: number): number =>
    Math.ceil((Math.min(Math.max(position, 0), size - 1) * fullScale) / size);
  sendMouse(api, {
    flags: flags.move | flags.absolute | flags.wholeDesktop,
    dx: fraction(x, width),
    dy: fraction(y, height),
  });
}

const clampWheel = (delta: number): number => Math.round(Math.min(Math.max(delta, -maxWheel), maxWheel));
