/**
 * An operator's mouse, keyboard and eyes on the remote screen: real input events in the page, and the colours
 * the page shows.
 */
import type { KeyInput } from 'puppeteer-core';
import type { AnyPage, PagePoint } from './any-page.ts';
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

async function move(page: AnyPage, at: PagePoint): Promise<void> {
  const { x, y } = await placeOf(page, at);
  await page.tab.mouse.move(x, y);
}

export async function clickAt(page: AnyPage, at: PagePoint): Promise<void> {
  const { x, y } = await placeOf(page, at);
  await page.tab.mouse.click(x, y);
}

/** Drags with the left button from one point to another, in steps as a person does. */
export async function drag(page: AnyPage, from: PagePoint, to: PagePoint): Promise<void> {
  await move(page, from);
  await page.tab.mouse.down();
  for (let step = 1; step <= 10; step += 1) {
    const between = (a: number, b: number): number => Math.round(a + ((b - a) * step) / 10);
    await move(page, { x: between(from.x, to.x), y: between(from.y, to.y) });
    await nextPicture(page);
  }
  await page.tab.mouse.up();
}

/** Presses the left button and moves it to and fro until the program on the device has begun a drag. */
export async function pressAndDrag(page: AnyPage, from: PagePoint, hasBegun: () => boolean): Promise<void> {
  await move(page, from);
  await page.tab.mouse.down();
  for (let step = 1; !hasBegun(); step += 1) {
    await move(page, { x: from.x + ((step * 5) % 40), y: from.y });
    await nextPicture(page);
  }
}

/** Moves the mouse in steps to a place in the window beside the picture. */
export async function leavePicture(page: AnyPage): Promise<void> {
  const { x, y } = await page.evaluate<PagePoint>(`(() => {
    const { right, top, height } = document.querySelector('canvas.screen').getBoundingClientRect();
    return { x: right + 60, y: top + height / 2 };
  })()`);
  await page.tab.mouse.move(x, y, { steps: 10 });
  await nextPicture(page);
}

/** The page sends the position of the mouse once per animation frame. */
const nextPicture = (page: AnyPage): Promise<unknown> =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve()))');

export async function wheel(page: AnyPage, at: PagePoint, deltaY: number): Promise<void> {
  await move(page, at);
  await page.tab.mouse.wheel({ deltaY });
}

/** Types characters of the keyboard and line ends, key by key. */
export async function typeKeys(page: AnyPage, text: string): Promise<void> {
  for (const character of text) await page.tab.keyboard.press(character as KeyInput);
}

/** Ctrl+V, with the browser's own action for it. */
export async function pressPaste({ tab }: AnyPage): Promise<void> {
  await tab.keyboard.down('Control');
  await tab.keyboard.press('v', { commands: ['Paste'] });
  await tab.keyboard.up('Control');
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
