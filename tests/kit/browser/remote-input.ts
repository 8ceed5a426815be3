/**
 * An operator's mouse, keyboard and eyes on the remote screen: real input events in the page, and the colours
 * the page shows.
 */
import type { AnyPage, PressAction, PagePoint } from './any-page.ts';
import type { BrowserPage } from './browser-page.ts';
import type { DisplayBox } from '../display/display.ts';

/** The point of the window that shows a pixel of the device. */
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

/** Drags with the left button from one point to another, in steps as a person does. */
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

/** The page sends the position of the mouse once per animation frame. */
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

/** Types lower-case letters, digits, hyphens, spaces and line ends, key by key. */
export async function typeKeys(page: AnyPage, text: string): Promise<void> {
  for (const character of text) {
    const key = { code: codeOf(character), key: character === '\n' ? 'Enter' : character };
    for (const action of ['press', 'release'] as const) await page.key(action, key);
  }
}

/** Ctrl and a key; `command` is the browser's own action for it, such as paste. */
export async function withControl(page: BrowserPage, letter: string, command?: string): Promise<void> {
  const key = (type: string, code: string, name: string, more: object = {}): Promise<unknown> =>
    page.send('Input.dispatchKeyEvent', { type, code, key: name, ...more });
  await key('keyDown', 'ControlLeft', 'Control', { modifiers: 2 });
  await key('rawKeyDown', codeOf(letter), letter, { modifiers: 2, ...(command && { commands: [command] }) });
  await key('keyUp', codeOf(letter), letter, { modifiers: 2 });
  await key('keyUp', 'ControlLeft', 'Control');
}

/** The colours of an area of the picture as the page shows them, one number per pixel. */
export async function shownPixels(page: AnyPage, { x, y, width, height }: DisplayBox): Promise<Uint32Array> {
  const text = await page.evaluate<string>(`(() => {
    const context = document.querySelector('canvas.screen').getContext('2d');
    return new Uint8Array(context.getImageData(${x}, ${y}, ${width}, ${height}).data.buffer).toBase64();
  })()`);
  const bytes = Buffer.from(text, 'base64');
  return Uint32Array.from({ length: width * height }, (_, index) => bytes.readUIntBE(index * 4, 3));
}
