/** An operator's hands and eyes on the picture of a device: real mouse and keys in the page, and the colours the page shows. */
import type { AnyPage, PressAction, PagePoint } from './any-page.ts';
import type { BrowserPage } from './browser-page.ts';
import type { DisplayBox } from '../display/display.ts';

/** Where a pixel of the device is in the window. */
const placeOf = (page: AnyPage, { x, y }: PagePoint): Promise<PagePoint> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('canvas.screen');
    const box = canvas.getBoundingClientRect();
    return {
      x: box.left + (${x} + 0.5) * box.width / canvas.width,
      y: box.top + (${y} + 0.5) * box.height / canvas.height,
    };
  })()`);

const mouse = async (page: AnyPage, action: 'move' | PressAction, at: PagePoint): Promise<void> =>
  page.mouse(action, await placeOf(page, at));

export async function clickAt(page: AnyPage, at: PagePoint): Promise<void> {
  for (const action of ['move', 'press', 'release'] as const) await mouse(page, action, at);
}

/** Holds the left button from one place to another, on the way in steps as a hand does. */
export async function drag(page: AnyPage, from: PagePoint, to: PagePoint): Promise<void> {
  await mouse(page, 'move', from);
  await mouse(page, 'press', from);
  for (let step = 1; step <= 10; step += 1) {
    const between = (a: number, b: number): number => Math.round(a + ((b - a) * step) / 10);
    await mouse(page, 'move', { x: between(from.x, to.x), y: between(from.y, to.y) });
    await nextPicture(page);
  }
  await mouse(page, 'release', to);
}

/** The page sends where the mouse is once for each picture it draws itself. */
const nextPicture = (page: AnyPage): Promise<unknown> =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve()))');

export const wheel = async (page: AnyPage, at: PagePoint, deltaY: number): Promise<void> =>
  page.wheel(await placeOf(page, at), deltaY);

const codeOf = (character: string): string => {
  if (character === ' ') return 'Space';
  if (character === '\n') return 'Enter';
  if (character === '-') return 'Minus';
  return /\d/.test(character) ? `Digit${character}` : `Key${character.toUpperCase()}`;
};

/** Types small letters, digits, dashes, spaces and ends of lines, key by key. */
export async function typeKeys(page: AnyPage, text: string): Promise<void> {
  for (const character of text) {
    const key = { code: codeOf(character), key: character === '\n' ? 'Enter' : character };
    for (const action of ['press', 'release'] as const) await page.key(action, key);
  }
}

/** Ctrl and a key; `command` is what the browser itself does with it, such as to paste. */
export async function withControl(page: BrowserPage, letter: string, command?: string): Promise<void> {
  const key = (type: string, code: string, name: string, more: object = {}): Promise<unknown> =>
    page.send('Input.dispatchKeyEvent', { type, code, key: name, ...more });
  await key('keyDown', 'ControlLeft', 'Control', { modifiers: 2 });
  await key('rawKeyDown', codeOf(letter), letter, { modifiers: 2, ...(command && { commands: [command] }) });
  await key('keyUp', codeOf(letter), letter, { modifiers: 2 });
  await key('keyUp', 'ControlLeft', 'Control');
}

/** The colours of a part of the picture as the page shows them, one number each. */
export async function shownPixels(page: AnyPage, { x, y, width, height }: DisplayBox): Promise<Uint32Array> {
  const text = await page.evaluate<string>(`(() => {
    const context = document.querySelector('canvas.screen').getContext('2d');
    return new Uint8Array(context.getImageData(${x}, ${y}, ${width}, ${height}).data.buffer).toBase64();
  })()`);
  const bytes = Buffer.from(text, 'base64');
  return Uint32Array.from({ length: width * height }, (_, index) => bytes.readUIntBE(index * 4, 3));
}
