/** The two lists that are measured: that of the panel, and the bare one. Where each has its rows, and how something is done with it. */
import type { BrowserPage } from '../../tests/kit/browser/browser-page.ts';
import { setOffline } from './seed.ts';

export interface MeasuredList {
  name: 'ours' | 'bare';
  url: string;
  /** One row that is drawn. */
  row: string;
  /** True once the list is there. */
  isShown: string;
  /** True once its last row is drawn and in sight. */
  isAtEnd: string;
  /** Lets devices go off line and waits until that is shown. */
  putOff(page: BrowserPage, ids: readonly number[]): Promise<void>;
  /** Shows the devices as tiles with pictures, where it can. */
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

/** Ten parts, as the server tells ours of them. */
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
