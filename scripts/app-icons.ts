/** Draws the icons of the installed panel in server/static again, from icon.svg. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../tests/kit/browser/browser.ts';
import type { BrowserPage } from '../tests/kit/browser/browser-page.ts';

const folder = join(import.meta.dirname, '../server/static');
const rounded = readFileSync(join(folder, 'icon.svg'), 'utf8');
/** Systems cut a maskable icon to a shape of their own; what is drawn stays in the circle that all of them keep. */
const fullBleed = rounded
  .replace(' rx="14"', '')
  .replace('<g ', '<g transform="translate(32 32) scale(.76) translate(-32 -33.5)" ');

async function draw(page: BrowserPage, name: string, svg: string, side: number): Promise<void> {
  await page.emulate({ width: side, height: side });
  await page.goto(`data:image/svg+xml,${encodeURIComponent(svg)}`);
  const picture = await page.tab.screenshot({ omitBackground: true });
  writeFileSync(join(folder, `${name}.png`), picture);
  console.log(`server/static/${name}.png, ${picture.length} bytes`);
}

await using browser = await openBrowser();
const page = await browser.page();
await draw(page, 'icon-192', rounded, 192);
await draw(page, 'icon-512', rounded, 512);
await draw(page, 'icon-maskable-512', fullBleed, 512);
await draw(page, 'icon-180', fullBleed, 180);
