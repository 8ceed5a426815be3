/**
 * An operator works on the screen of a device, in a real browser: views it, types, drags, scrolls, changes
 * its size.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import type { DisplayBox } from '../../kit/display/display.ts';
import { findWindow, runOnDisplay, openTypingTerminal } from '../../kit/display/desktop-programs.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { makePhoto, makeTextPicture } from '../../kit/display/pictures.ts';
import { clickAt, drag, shownPixels, typeKeys, wheel } from '../../kit/browser/remote-input.ts';
import { eventually } from '../../kit/eventually.ts';
import {
  chooseMenuItem,
  missingPrograms,
  endSession,
  openDesktopFixture,
  openOperatorPage,
  startOnDisplay,
  type DesktopFixture,
} from '../../kit/display/desktop-fixture.ts';

const skip = missingPrograms();
let fixture: DesktopFixture;
before(async () => {
  if (!skip) fixture = await openDesktopFixture();
});
after(() => fixture?.[Symbol.asyncDispose]());

const browserTest = (name: string, run: () => Promise<void>, without: string | false = skip): void =>
  void test(name, { skip: without }, run);

const size = { width: 1_024, height: 640 };

/** A window with text and a photograph in it, below the banner. */
function drawKnownPicture(): DisplayBox {
  const box = { x: 60, y: 120, width: 900, height: 480 };
  const text = { x: 100, y: 160, width: 480, height: 40 };
  const photo = { x: 640, y: 200, width: 160, height: 120 };
  const { display } = fixture;
  display.paint({ x: 0, y: 0, ...size }, 0x336699);
  display.paint(box, 0xffffff);
  for (let row = 0; row < 8; row += 1) {
    const line = { ...text, y: text.y + row * 50 };
    display.draw(line, makeTextPicture(row + 1, line));
  }
  display.draw(photo, makePhoto(5, photo));
  return box;
}

const cut = (pixels: Uint32Array, box: DisplayBox): Uint32Array =>
  Uint32Array.from(
    { length: box.width * box.height },
    (_, at) => pixels[(box.y + Math.floor(at / box.width)) * size.width + box.x + (at % box.width)]!,
  );

/** Presses Connect; resolves when the page shows exactly these pixels. */
async function connectAndSee(expected: Uint32Array, box: DisplayBox): Promise<BrowserPage> {
  const page = await openOperatorPage(fixture.browser);
  await page.goto(await fixture.link());
  const text = Buffer.from(expected.buffer).toString('base64');
  await page.evaluate(`(() => {
    const expected = new Uint32Array(Uint8Array.fromBase64('${text}').buffer);
    const isShown = (context) => {
      const shown = context.getImageData(${box.x}, ${box.y}, ${box.width}, ${box.height}).data;
      return expected.every((pixel, at) =>
        pixel === (shown[4 * at] << 16 | shown[4 * at + 1] << 8 | shown[4 * at + 2]));
    };
    const timer = setInterval(() => {
      const canvas = document.querySelector('canvas.screen');
      if (canvas?.width !== ${size.width} || !isShown(canvas.getContext('2d'))) return;
      clearInterval(timer);
      window.isExact = true;
    }, 20);
  })()`);
  await page.click('.button.primary');
  await page.until('window.isExact');
  return page;
}

browserTest('after pressing the button, the operator sees the screen exactly', async () => {
  const box = drawKnownPicture();
  await fixture.display.done();
  const expected = cut(await fixture.display.pixels(), box);

  const page = await connectAndSee(expected, box);

  assert.deepEqual([page.errors, page.violations], [[], []]);
  await endSession(page);
});

browserTest('what the operator types arrives in a terminal', async () => {
  await using writer = await openTypingTerminal();
  const page = await fixture.connect();

  await clickAt(page, writer.at);
  await typeKeys(page, 'hello from far away 42\n');

  await eventually(writer.typed, (typed) => typed === 'hello from far away 42\n');
  await endSession(page);
});

browserTest(
  'a window is dragged to another position, and the operator sees it there',
  async () => {
    await using _manager = startOnDisplay('openbox');
    const asked = (question: string): Promise<string> => runOnDisplay('xdotool', question).catch(() => '');
    await eventually(
      () => asked('get_num_desktops'),
      (answer) => answer !== '',
    );
    await using _terminal = startOnDisplay('xterm', '-T', 'to drag', '-geometry', '40x8+120+200');
    // Its position is final once the window manager has given it a frame and the focus.
    await eventually(
      () => asked('getactivewindow'),
      (answer) => answer !== '',
    );
    const start = await findWindow('to drag');
    const page = await fixture.connect();
    // In the middle of the frame's upper edge, which is the requested position of the window.
    const title = { x: 120 + Math.floor(start.width / 2), y: 208 };

    await drag(page, title, { x: title.x + 210, y: title.y + 130 });

    const end = await eventually(
      () => findWindow('to drag'),
      ({ x, y }) => Math.abs(x - start.x - 210) <= 2 && Math.abs(y - start.y - 130) <= 2,
    );
    const box = { x: end.x, y: end.y, width: end.width, height: end.height };
    await eventually(
      async () => same(await shownPixels(page, box), cut(await fixture.display.pixels(), box)),
      (isSame) => isSame,
    );
    await endSession(page);
  },
  skip || skipWithout('a window manager'),
);

const same = (one: Uint32Array, other: Uint32Array): boolean =>
  one.length === other.length && one.every((pixel, at) => pixel === other[at]);

browserTest('the wheel scrolls there, up and down', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-scrolled-'));
  const file = join(folder, 'heard');
  // A program that asks the terminal for mouse reports and records them: button 4 is up, 5 is down.
  const listen = `printf '\\033[?1000h'; stty raw -echo; cat > ${file}`;
  await using _terminal = startOnDisplay(
    'xterm',
    '-T',
    'to scroll',
    '-geometry',
    '60x10+100+200',
    '-e',
    'sh',
    '-c',
    listen,
  );
  const { x, y, width, height } = await findWindow('to scroll');
  const page = await fixture.connect();
  const received = (): string => {
    try {
      return readFileSync(file, 'latin1');
    } catch {
      return '';
    }
  };
  const at = { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };

  await wheel(page, at, -120);
  await eventually(received, (text) => text.includes('\x1b[M`'));
  await wheel(page, at, 120);
  await eventually(received, (text) => text.includes('\x1b[Ma'));

  await endSession(page);
  rmSync(folder, { recursive: true });
});

browserTest('the operator changes the size of the screen there, and the picture follows', async () => {
  const page = await fixture.connect();
  await page.emulate({ width: 900, height: 620 });

  await chooseMenuItem(page, 'View', 'As my window');
  const [width, height] = await page.until<[number, number]>(`(() => {
    const { width = 0, height } = document.querySelector('canvas.screen') ?? {};
    return width > 0 && width !== ${size.width} && [width, height];
  })()`);

  assert.equal(await runOnDisplay('xdotool', 'getdisplaygeometry'), `${width} ${height}\n`);
  await chooseMenuItem(page, 'View', 'As it was');
  await page.until(`document.querySelector('canvas.screen').width === ${size.width}`);
  assert.equal(await runOnDisplay('xdotool', 'getdisplaygeometry'), `${size.width} ${size.height}\n`);
  await chooseMenuItem(page, 'View', '800 × 600');
  await page.until(`document.querySelector('canvas.screen').width === 800`);
  await endSession(page);
  await eventually(
    () => runOnDisplay('xdotool', 'getdisplaygeometry'),
    (now) => now === `${size.width} ${size.height}\n`,
  );
});
