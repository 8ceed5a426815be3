/** Quick support with a real screen: the operator sees what is on the client's display, without delay. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser } from '../../kit/browser/browser.ts';
import { startDisplay } from '../../kit/display/display.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { eventually } from '../../kit/eventually.ts';
import { pressButtonSaying, waitForText, startJoinFixture } from './join-fixture.ts';

const skip = skipWithout('Xvfb') || skipWithout('Chromium');
const size = { width: 1_280, height: 720 };
/** Right of the browser's own window. */
const spot = { x: 900, y: 200, width: 200, height: 150 };
const red = 0xc81e1e;

test(
  'the operator sees the whole display of the client and every change of it, and nothing after sharing stops',
  { skip },
  async () => {
    await using display = await startDisplay(size.width, size.height);
    await using clients = await openBrowser({
      display: display.name,
      flags: [
        '--auto-select-desktop-capture-source=Entire screen',
        '--window-size=600,500',
        '--window-position=0,0',
      ],
    });
    await using operators = await openBrowser({ wholeBrowser: true });
    await using fixture = await startJoinFixture(clients, { operators, realScreen: true });
    display.paint({ x: 0, y: 0, ...size }, 0x0a3c78);
    await display.done();
    const client = await fixture.client({ width: 600, height: 500 });
    await pressButtonSaying(client, 'Continue');
    await pressButtonSaying(client, 'Share my screen from this browser');
    await waitForText(client, 'You are sharing your screen');
    const operator = await fixture.operator();
    await pressButtonSaying(client, 'Allow');
    await operator.until(`document.querySelector('canvas')?.width === ${size.width}`);
    const colour = (): Promise<number[]> =>
      operator.evaluate(`(() => {
      const canvas = document.querySelector('canvas');
      return [...canvas.getContext('2d').getImageData(${spot.x + 100}, ${spot.y + 75}, 1, 1).data.slice(0, 3)];
    })()`);
    const isNear = (found: number[], wanted: number): boolean =>
      [wanted >> 16, (wanted >> 8) & 255, wanted & 255].every(
        (value, index) => Math.abs(value - found[index]!) < 14,
      );
    await eventually(colour, (found) => isNear(found, 0x0a3c78));

    display.paint(spot, red);
    await display.done();
    await eventually(colour, (found) => isNear(found, red));
    assert.equal(await operator.evaluate(`document.querySelector('canvas').height`), size.height);

    await pressButtonSaying(client, 'End');
    await waitForText(client, 'Thank you!');
    await waitForText(operator, 'The person ended the session.');
    await fixture.status(0);
    // Whenever the page shares a screen, the browser complains that it may not use a camera; it uses none.
    const complaints = client.errors.filter((error) => !error.includes('camera is not allowed'));
    assert.deepEqual([complaints, client.violations], [[], []]);
  },
);
