/** Draws the icons of the installed panel in server/static, and of the agent for Windows, again from icon.svg. */
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

async function draw(page: BrowserPage, svg: string, side: number): Promise<Buffer> {
  await page.emulate({ width: side, height: side });
  await page.goto(`data:image/svg+xml,${encodeURIComponent(svg)}`);
  return Buffer.from(await page.tab.screenshot({ omitBackground: true }));
}

async function drawFile(page: BrowserPage, name: string, svg: string, side: number): Promise<void> {
  const picture = await draw(page, svg, side);
  writeFileSync(join(folder, `${name}.png`), picture);
  console.log(`server/static/${name}.png, ${picture.length} bytes`);
}

/** An .ico file of PNG pictures: a header, one entry of 16 bytes for each picture, the pictures. */
async function drawWindowsIcon(page: BrowserPage): Promise<void> {
  const sides = [16, 24, 32, 48, 64, 256];
  const pictures: Buffer[] = [];
  for (const side of sides) pictures.push(await draw(page, rounded, side));
  const header = Buffer.alloc(6 + 16 * sides.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(sides.length, 4);
  let offset = header.length;
  pictures.forEach((picture, index) => {
    const at = 6 + 16 * index;
    header.writeUInt8(sides[index]! % 256, at);
    header.writeUInt8(sides[index]! % 256, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(picture.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += picture.length;
  });
  writeFileSync(join(import.meta.dirname, 'agent-files/icon.ico'), Buffer.concat([header, ...pictures]));
}

await using browser = await openBrowser({ wholeBrowser: true });
const page = await browser.page();
await drawFile(page, 'icon-192', rounded, 192);
await drawFile(page, 'icon-512', rounded, 512);
await drawFile(page, 'icon-maskable-512', fullBleed, 512);
await drawFile(page, 'icon-180', fullBleed, 180);
await drawWindowsIcon(page);
