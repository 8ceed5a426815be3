/** The button in the operator's page that starts and stops a recording. */
import assert from 'node:assert/strict';
import { eventually } from '../../../kit/eventually.ts';
import { connectConsole, goLive, startConsoleFixture, type ConsoleFixture } from './console-fixture.ts';
import { browser, browserTest } from './console-browser.ts';

const title = (start: string): string => `document.querySelector('.bar [aria-label^="${start}"]')`;

/** What the page has asked the server for: to start or to stop a recording. */
const askedOf = ({ fakeServer }: ConsoleFixture): unknown[] =>
  fakeServer.posts.filter(({ path }) => path === '/session/record').map(({ body }) => body['on']);

browserTest(
  'an operator who may record starts and stops it, and it continues after the connection was lost',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page, fakeServer } = fixture;
    fakeServer.mayRecord = true;
    const device = await connectConsole(fixture);
    const asked = (): unknown[] => askedOf(fixture);

    await page.click('[aria-label="Start a recording"]');
    await eventually(asked, ({ length }) => length === 1);
    goLive(device, { recording: true });
    await page.until(title('Stop the recording'));
    await page.until(`document.querySelector('.sign.recording')`);
    fakeServer.cut();
    const again = await fakeServer.nextDevice();
    goLive(again);
    await eventually(asked, ({ length }) => length === 2);
    goLive(again, { recording: true });
    await page.click('[aria-label="Stop the recording"]');
    await eventually(asked, ({ length }) => length === 3);
    goLive(again);
    await page.until(title('Start a recording'));

    assert.deepEqual(asked(), [true, true, false]);
  },
);

browserTest('a recording continues after a reload of the page', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page, fakeServer } = fixture;
  fakeServer.mayRecord = true;
  const device = await connectConsole(fixture);
  await page.click('[aria-label="Start a recording"]');
  await eventually(
    () => askedOf(fixture),
    ({ length }) => length === 1,
  );
  goLive(device, { recording: true });
  await page.until(title('Stop the recording'));

  page.tab.once('dialog', (dialog) => void dialog.accept());
  await page.tab.reload();
  await page.click('.button.primary');
  goLive(await fakeServer.nextDevice());

  await eventually(
    () => askedOf(fixture),
    ({ length }) => length === 2,
  );
  assert.deepEqual(askedOf(fixture), [true, true]);
});

browserTest('a recording that starts closes no menu, and every button stays where it is', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page, fakeServer } = fixture;
  fakeServer.mayRecord = true;
  const device = await connectConsole(fixture);
  const buttons = `[...document.querySelectorAll('.bar .tool')]`;
  await page.click('[aria-label="View"]');
  await page.until(`document.querySelector('.menu:popover-open')`);
  await page.evaluate(`window.before = ${buttons}`);

  goLive(device, { recording: true });
  await page.until(title('Stop the recording'));

  assert.equal(await page.evaluate(`document.querySelectorAll('.menu:popover-open').length`), 1);
  assert.equal(
    await page.evaluate(
      `${buttons}.every((each, index) => each === before[index]) && ${buttons}.length === before.length`,
    ),
    true,
  );
  await page.evaluate(`document.querySelector('[data-panel=chat]').focus()`);
  await page.tab.keyboard.press('Enter');
  await page.until(`document.querySelector('.panel-chat')`);
  assert.equal(await page.evaluate(`document.querySelector('[data-panel=chat]').ariaPressed`), 'true');
  assert.equal(await page.evaluate(`before.includes(document.querySelector('[data-panel=chat]'))`), true);
});

browserTest(
  'without the right to record there is no button, also while the session is recorded',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page } = fixture;
    await connectConsole(fixture, { recording: true });

    await page.until(`document.querySelector('.sign.recording')`);

    assert.equal(
      await page.evaluate(`${title('Stop the recording')} ?? ${title('Start a recording')}`),
      null,
    );
  },
);
