/** A page in a frame of another site, used as a person uses it: the mouse belongs to the page around it. */
import { eventually } from '../eventually.ts';
import type { BrowserFrame, BrowserPage } from './browser-page.ts';

/** Where the frame begins on the page around it. */
const corner = { x: 40, y: 30 };

/** Replaces the page by a frame with this address. */
export async function showFrame(page: BrowserPage, url: string): Promise<void> {
  await page.evaluate(`{
    const frame = document.createElement('iframe');
    frame.src = ${JSON.stringify(url)};
    frame.style = 'position: absolute; left: ${corner.x}px; top: ${corner.y}px; width: 700px; border: 0; height: 560px';
    document.body.replaceChildren(frame);
  }`);
}

/** The page around the frame covers it with something that clicks pass through. */
export const cover = `void document.body.append(Object.assign(document.createElement('div'), { id: 'cover',
  style: 'position: absolute; inset: 0; background: white; pointer-events: none' }))`;
export const uncover = `document.querySelector('#cover').remove()`;

/** The frame may be navigating meanwhile. */
export const becomes = (frame: BrowserFrame, condition: string): Promise<unknown> =>
  eventually(() => frame.evaluate<boolean>(`Boolean(${condition})`).catch(() => false), Boolean);

export const reads = (frame: BrowserFrame, text: string): Promise<unknown> =>
  becomes(frame, `document.body?.innerText.includes(${JSON.stringify(text)})`);

const button = (label: string): string =>
  `[...document.querySelectorAll('button')].find((each) => each.innerText === ${JSON.stringify(label)})`;

export const untilEnabled = (frame: BrowserFrame, label: string): Promise<unknown> =>
  becomes(frame, `${button(label)}?.disabled === false`);

export const untilDisabled = (frame: BrowserFrame, label: string): Promise<unknown> =>
  becomes(frame, `${button(label)}?.disabled`);

/** Clicks where the button is on the outer page, as a person does. */
export async function clickInside(page: BrowserPage, frame: BrowserFrame, label: string): Promise<void> {
  const { x, y } = await frame.evaluate<{ x: number; y: number }>(`(() => {
    const { left, top, width, height } = ${button(label)}.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  })()`);
  await page.tab.mouse.click(x + corner.x, y + corner.y);
}
