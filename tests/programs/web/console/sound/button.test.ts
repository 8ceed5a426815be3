/** The button in the operator's page that turns the sound of the device on and off, and what is played then. */
import assert from 'node:assert/strict';
import { eventually } from '../../../../kit/eventually.ts';
import { browser, browserTest, waitUntilSettled } from '../console-browser.ts';
import { connectConsole, nextOf, startConsoleFixture } from '../console-fixture.ts';

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

/** Lets the test read the positions of what is played. */
const watchPlayed = `{
  const { postMessage } = MessagePort.prototype;
  window.played = [];
  MessagePort.prototype.postMessage = function (message, ...rest) {
    if (message?.samples) played.push(message.at);
    return postMessage.call(this, message, ...rest);
  };
}`;

browserTest(
  'a packet at a position that no browser knows is left out, and the next ones are played',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page } = fixture;
    await page.tab.evaluateOnNewDocument(watchPlayed);
    const device = await connectConsole(fixture);
    const asked = nextOf(device, 'sound');
    await page.click(button(turnOn));
    await asked;
    device.send('sound', { on: true });
    await page.until(`document.querySelector('${button(turnOff)}')?.ariaPressed === null`);

    /** 20 ms of silence. */
    const data = Uint8Array.of(0xfc, 0xff, 0xfe);
    for (const at of [Number.MAX_SAFE_INTEGER, 960, 1_920]) device.send('sound_bytes', { id: 0, at, data });
    await page.until('played.length === 2');
    assert.deepEqual([await page.evaluate('played'), page.errors], [[960, 1_920], []]);
  },
);
