/** The button in the operator's page that turns the sound of the device on and off. */
import assert from 'node:assert/strict';
import { eventually } from '../../../../kit/eventually.ts';
import { browser, browserTest, waitUntilSettled } from '../console-browser.ts';
import { connectConsole, startConsoleFixture } from '../console-fixture.ts';

const [turnOn, turnOff] = ['Hear the sound of the device', 'Turn off the sound of the device'];
const button = (title: string): string => `.bar [aria-label="${title}"]`;
const soundTitle = `document.querySelector('${button(turnOn)}, ${button(turnOff)}')?.ariaLabel`;

browserTest('sound that is turned off and on again before the device replies stays on', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page } = fixture;
  const device = await connectConsole(fixture);
  const asked: boolean[] = [];
  device.on('sound', ({ on }) => asked.push(on));
  await page.click(button(turnOn));
  await eventually(
    () => asked,
    ({ length }) => length === 1,
  );
  device.send('sound', { on: true });
  await page.click(button(turnOff));
  await page.click(button(turnOn));
  await eventually(
    () => asked,
    ({ length }) => length === 3,
  );

  device.send('sound', { on: false });
  device.send('sound', { on: true });
  await waitUntilSettled(page, device);
  assert.deepEqual([asked, await page.evaluate(soundTitle)], [[true, false, true], turnOff]);

  device.send('sound', { on: false, message: 'The sound of the device has ended.' });
  await page.until(`document.querySelector('.bar [aria-label^="${turnOn}: The sound"]')`);
});
