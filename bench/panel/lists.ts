/** The two measured lists, the panel's and the baseline: where their rows are, and how to operate them. */
import type { BrowserPage } from '../../tests/kit/browser/browser-page.ts';
import { setOffline } from './seed.ts';

export interface MeasuredList {
  name: 'ours' | 'bare';
  url: string;
  /** Selector of a drawn row. */
  row: string;
  /** True when the list is shown. */
  isShown: string;
  /** True when its last row is drawn and visible. */
  isAtEnd: string;
  /** Sets devices offline and waits until the list shows it. */
  putOff(page: BrowserPage, ids: readonly number[]): Promise<void>;
  /** Shows the devices as tiles with previews, if the list supports it. */
  tiles?: { press: string; isShown: string; back: string };
}

const named = (title: string): string => `document.querySelector('main [aria-label="${title}"]')`;
const online = `Number(/, ([\\d,]+) online/.exec(document.querySelector('.page-head').innerText)[1].replace(',', ''))`;
const bottom = (row: string): string =>
  `[...document.querySelectorAll('${row}')].at(-1)?.getBoundingClientRect().bottom`;

export function panelList(url: string, folder: string): MeasuredList {
  const row = '[role=rowgroup] [role=row]';
  return {
    name: 'ours',
    url: `${url}/panel/devices`,
    row,
    isShown: `document.querySelector('${row}')`,
    isAtEnd: `scrollY + innerHeight >= document.documentElement.scrollHeight - 2 && ${bottom(row)} <= innerHeight`,
    async putOff(page, ids) {
      const before = await page.evaluate<number>(online);
      await setOffline(folder, ids);
      await page.until(`${online} === ${before - ids.length}`);
    },
    tiles: {
      press: `${named('Show as tiles')}.click()`,
      isShown: `document.querySelector('.tile')`,
      back: `${named('Show as a table')}.click()`,
    },
  };
}

/** Ten batches, as the server reports them to the panel. */
const inParts = (ids: readonly number[]): string => `(async () => {
  const ids = ${JSON.stringify(ids)};
  const size = Math.ceil(ids.length / 10);
  for (let start = 0; start < ids.length; start += size) {
    putOff(ids.slice(start, start + size));
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
})()`;

export const bareList = (url: string, devices: number): MeasuredList => ({
  name: 'bare',
  url,
  row: '.row',
  isShown: `document.querySelectorAll('.row').length === ${devices}`,
  isAtEnd: `scrollY + innerHeight >= document.documentElement.scrollHeight - 2`,
  putOff: (page, ids) => page.evaluate(inParts(ids)),
});
