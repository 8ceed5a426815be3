/** Pictures in a real browser: no accepted picture is larger to its decoder than its header was read as. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readImageInfo } from '@drawbridge/contract/images';
import type { BrowserPage } from '../../../kit/browser/browser-page.ts';
import { openBrowser, type Browser } from '../../../kit/browser/browser.ts';
import {
  hostileJpegs,
  hostilePngs,
  hostileWebps,
  oddJpegs,
  oddWebps,
} from '../../../kit/hostile/hostile-pictures.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithout('Chromium');
const [real, small] = [
  { width: 640, height: 400 },
  { width: 32, height: 20 },
];

describe('how a browser decodes pictures', { skip }, () => {
  let browser: Browser;
  let page: BrowserPage;
  before(async () => {
    if (skip) return;
    browser = await openBrowser();
    page = await browser.page();
  });
  after(() => browser?.close());

  const encoded = async (type: string, quality: number): Promise<Buffer> =>
    Buffer.from(
      await page.evaluate<string>(`new Promise((resolve) => {
        const canvas = Object.assign(document.createElement('canvas'), ${JSON.stringify(real)});
        const pen = canvas.getContext('2d', { alpha: false });
        for (let x = 0; x < canvas.width; x += 8) {
          pen.fillStyle = 'hsl(' + x + ' 80% 50%)';
          pen.fillRect(x, 0, 8, canvas.height);
        }
        canvas.toBlob(async (blob) => resolve(new Uint8Array(await blob.arrayBuffer()).toBase64()), '${type}', ${quality});
      })`),
      'base64',
    );
  /** The size by the browser's decoder; undefined if it shows nothing. */
  const decoded = async (bytes: Buffer): Promise<string | undefined> =>
    (await page.evaluate<string | null>(`(async () => {
      const picture = new Image();
      picture.src = URL.createObjectURL(new Blob([Uint8Array.fromBase64('${bytes.toString('base64')}')]));
      const isShown = await picture.decode().then(() => true, () => false);
      return isShown || picture.naturalWidth > 0 ? picture.naturalWidth + ' × ' + picture.naturalHeight : null;
    })()`)) ?? undefined;
  const taken = (bytes: Buffer): string | undefined => {
    const found = readImageInfo(bytes);
    return found && `${found.width} × ${found.height}`;
  };
  const whole = `${real.width} × ${real.height}`;

  async function refusesAll(hostile: Record<string, Buffer>): Promise<void> {
    for (const [what, bytes] of Object.entries(hostile))
      assert.equal(taken(bytes), undefined, `${what}; the browser says ${await decoded(bytes)}`);
  }
  async function takesAll(honest: Record<string, Buffer>): Promise<void> {
    for (const [what, bytes] of Object.entries(honest))
      assert.deepEqual([taken(bytes), await decoded(bytes)], [whole, whole], what);
  }

  test('a JPEG that hides its frame is refused, and one as encoders write it is not', async () => {
    const jpeg = await encoded('image/jpeg', 0.8);
    const hostile = hostileJpegs(jpeg, small);

    assert.equal(await decoded(hostile['a marker without a length before the frame']!), whole);
    await refusesAll(hostile);
    await takesAll({ plain: jpeg, ...oddJpegs(jpeg) });
  });

  test('a PNG with more than one size is refused', async () => {
    const png = await encoded('image/png', 1);

    await refusesAll(hostilePngs(png, small));
    await takesAll({ plain: png });
  });

  for (const [kind, quality] of [
    ['lossy', 0.8],
    ['lossless', 1],
  ] as const)
    test(`a ${kind} WebP whose canvas is smaller than a picture on it is refused`, async () => {
      const webp = await encoded('image/webp', quality);

      await refusesAll(hostileWebps(webp, real, small));
      await takesAll({ plain: webp, ...oddWebps(webp, real) });
    });
});
