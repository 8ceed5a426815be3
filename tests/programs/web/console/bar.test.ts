/** What surrounds the picture in the operator's page: the toolbar, its dialogs, and the page after the session. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveDownloads } from '../../../kit/browser/browser-dialogs.ts';
import { readPng } from '../../../kit/display/png-reader.ts';
import { eventually } from '../../../kit/eventually.ts';
import {
  connectConsole,
  goLive,
  openItems,
  showLayout,
  size,
  startConsoleFixture,
} from './console-fixture.ts';
import { browser, browserTest, chooseFromMenu, waitUntilSettled } from './console-browser.ts';
import { uniquePattern } from './pictures.ts';

const untilEnded = `document.querySelector('h1')?.textContent === 'The session has ended'`;
const cardButtons = `[...document.querySelectorAll('.card button')].map(({ textContent }) => textContent)`;

browserTest(
  'after a session one click saves the note and connects again, and its page does not ask a second time',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page, fakeServer } = fixture;
    fakeServer.again = '/c/the-next-code';
    await connectConsole(fixture);

    await page.click('.tool.end');
    await page.until(untilEnded);
    await page.type('#note', 'Cleared the queue.');
    await page.click('.card .button.primary');
    goLive(await fakeServer.nextDevice());
    await page.until(`document.querySelector('canvas')`);

    assert.equal(await page.evaluate('location.pathname'), '/c/the-next-code');
    assert.deepEqual(
      fakeServer.posts.map(({ path, body }) => [path, body['check'] ?? body['code'] ?? body['text']]),
      [
        ['/session/show', 'the-code'],
        ['/session/open', 'the-code'],
        ['/session/again', true],
        ['/session/note', 'Cleared the queue.'],
        ['/session/again', false],
        ['/session/open', 'the-next-code'],
      ],
    );
    await page.click('.tool.end');
    await page.until(untilEnded);
    await page.goto(`${fakeServer.url}/c/the-next-code`);
    assert.deepEqual(await page.until(`${cardButtons}.length > 0 && ${cardButtons}`), ['Connect']);
  },
);

browserTest(
  'without a new link the end page offers to close, and closes a tab that another page opened',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page } = fixture;
    await connectConsole(fixture);

    await page.click('.tool.end');
    await page.until(untilEnded);
    await page.until(`document.querySelector('.card').innerText.includes('open a new link from the panel')`);
    assert.deepEqual(await page.evaluate(cardButtons), ['Save the note', 'Close']);
    const opener = await browser.page(page);
    await opener.goto(`${fixture.fakeServer.url}/c/the-code`);
    await opener.byHand(`window.opened = open('/c/another-code')`);
    const opened = await browser.opened(opener);
    await opened.click('.button.primary');
    goLive(await fixture.fakeServer.nextDevice());
    await opened.click('.tool.end');
    await opened.until(untilEnded);
    await opened.evaluate(`[...document.querySelectorAll('.card button')].at(-1).click()`).catch(() => {});

    await opener.until('window.opened.closed');
  },
);

browserTest('when connecting again is refused, the end page says why and keeps its buttons', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page, fakeServer } = fixture;
  fakeServer.again = '/c/the-next-code';
  await connectConsole(fixture);
  await page.click('.tool.end');
  await page.until(`document.querySelector('.card .button.primary')`);

  fakeServer.again = undefined;
  await page.click('.card .button.primary');

  await page.until(
    `document.querySelector('.card').innerText.includes('You are not allowed to connect to this device.')`,
  );
  assert.deepEqual(await page.evaluate(cardButtons), ['Save the note', 'Close', 'Connect again']);
});

browserTest('the question before a reboot names the device', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page } = fixture;
  await connectConsole(fixture);

  await chooseFromMenu(page, 'More', 'Reboot…');

  assert.equal(
    await page.until(`document.querySelector('dialog h2')?.textContent`),
    'Reboot Reception desk?',
  );
});

const secondsOf = (clock: string): number =>
  clock.split(':').reduce((total, part) => total * 60 + Number(part), 0);

browserTest('the toolbar shows how long the session has lasted, also after a reload', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page, fakeServer } = fixture;
  await connectConsole(fixture);
  const timer = `document.querySelector('.bar [role=timer]')?.textContent`;

  const first = await page.until<string>(timer);
  await page.until(`${timer} !== ${JSON.stringify(first)}`);
  await page.evaluate(`Object.keys(sessionStorage).filter((key) => key.startsWith('drawbridge.session.')).forEach((key) => {
    const saved = JSON.parse(sessionStorage.getItem(key));
    sessionStorage.setItem(key, JSON.stringify({ ...saved, startedAt: saved.startedAt - 3_600_000 }));
  })`);
  page.tab.once('dialog', (dialog) => void dialog.accept());
  await page.tab.reload();
  await page.click('.button.primary');
  goLive(await fakeServer.nextDevice());
  const later = await page.until<string>(timer);

  assert.match(first, /^\d+:\d\d$/);
  assert.match(later, /^1:\d\d:\d\d$/);
  assert.ok(secondsOf(later) > secondsOf(first) + 3_600, `${first} then ${later}`);
});

browserTest('a screenshot is a file with the pixels of the device, named after it and the time', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page } = fixture;
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-screenshot-'));
  await saveDownloads(page, folder);
  await connectConsole(fixture);

  await page.click('[aria-label="Save a screenshot"]');
  const [name] = await eventually(
    async () => readdirSync(folder).filter((each) => each.endsWith('.png')),
    ({ length }) => length > 0,
  );

  assert.match(name!, /^Reception desk \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/);
  // The file has its name before the browser has written all of it.
  const bytes = await eventually(
    async () => readFileSync(join(folder, name!)),
    (read) => read.subarray(-8, -4).toString('latin1') === 'IEND',
  );
  const picture = readPng(bytes);
  assert.deepEqual([picture.width, picture.height], [size.width, size.height]);
  const places = [
    [0, 0],
    [17, 230],
    [639, 399],
  ] as const;
  const rgb = (pixel: number): number[] => [16, 8, 0].map((shift) => (pixel >> shift) & 255);
  assert.deepEqual(
    places.map(([x, y]) => rgb(picture.pixels[y * size.width + x]!)),
    places.map(([x, y]) => [...uniquePattern(x, y)]),
  );
  rmSync(folder, { recursive: true });
});

browserTest('a session without the screen offers no screenshot', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page, fakeServer } = fixture;
  await page.goto(`${fakeServer.url}/c/the-code`);
  await page.click('.button.primary');
  goLive(await fakeServer.nextDevice(), { permissions: ['agent_chat'] });
  await page.until(`document.querySelector('[data-panel=chat]')`);

  assert.equal(await page.evaluate(`document.querySelector('[aria-label="Save a screenshot"]')`), null);
});

browserTest('the toolbar shows labels where they fit, and icons where they do not', async () => {
  await using fixture = await startConsoleFixture(browser, { width: 1_900 });
  const { page } = fixture;
  await connectConsole(fixture);
  const isShown = (text: string): string =>
    `[...document.querySelectorAll('.bar .tool-label')].some((each) => each.textContent === '${text}' && each.offsetWidth > 0)`;
  const overflow = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.bar'))`;

  for (const label of ['View', 'Clipboard', 'Screenshot', 'More', 'Files', 'Terminal', 'Chat'])
    await page.until(isShown(label));
  const wide = await page.evaluate(overflow);
  await page.emulate({ width: 1_280, height: 800 });
  await page.until(`!${isShown('Chat')} && ${overflow} === 0`);
  const isSomeShown = await page.evaluate(isShown('View'));
  await page.emulate({ width: 900, height: 800 });
  await page.until(`!${isShown('Keys')} && ${overflow} === 0`);

  assert.deepEqual([wide, isSomeShown], [0, true]);
  assert.equal(await page.evaluate(isShown('End')), true);
  await page.emulate({ width: 1_900, height: 800 });
  await page.until(isShown('Files'));
});

browserTest('a monitor that is removed disappears from the open menu', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page } = fixture;
  const device = await connectConsole(fixture);
  const monitor = (name: string, x: number) => ({ name, x, y: 0, width: 320, height: 400, primary: x === 0 });
  const items = `${openItems}.map(({ textContent }) => textContent)`;
  showLayout(device, { monitors: [monitor('DP-1', 0), monitor('DP-2', 320)] });
  await waitUntilSettled(page, device);

  await page.click('[aria-label="View"]');
  await page.until(`${items}.some((each) => each.startsWith('2: DP-2'))`);
  showLayout(device, { monitors: [monitor('DP-1', 0)] });

  await page.until(`${items}.length > 0 && !${items}.some((each) => /DP-|All monitors/.test(each))`);
});
