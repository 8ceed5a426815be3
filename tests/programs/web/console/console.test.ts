/** The operator's page in a real browser: what it offers and shows, and which devices it trusts. */
import assert from 'node:assert/strict';
import type { Dialog, Protocol } from 'puppeteer-core';
import { playerPaths } from '@drawbridge/contract/session/player';
import type { BrowserPage } from '../../../kit/browser/browser-page.ts';
import { eventually } from '../../../kit/eventually.ts';
import {
  connectConsole,
  goLive,
  nextOf,
  openItems,
  showLayout,
  showPicture,
  startConsoleFixture,
  tellPeople,
  toWindowPoint,
} from './console-fixture.ts';
import { browser, browserTest, chooseFromMenu, recordFrames, waitUntilSettled } from './console-browser.ts';
import { createSigningKey } from '../../session/create-signing-key.ts';

browserTest('only what the session allows is offered, and what the device cannot do says why', async () => {
  await using fixture = await startConsoleFixture(browser);
  await connectConsole(fixture, {
    permissions: ['agent_connect', 'agent_chat'],
    unable: { agent_clipboard: 'There is no clipboard here.' },
  });

  const titles = await fixture.page.evaluate<string[]>(
    `[...document.querySelectorAll('.bar .tool')].map((tool) => tool.title)`,
  );

  assert.deepEqual(
    titles.filter((title) => title !== 'Connection'),
    [
      'View',
      'Clipboard: There is no clipboard here.',
      'Save a screenshot',
      'Chat',
      'People',
      'Safety code',
      'End the session',
    ],
  );
});

const blackOut = 'Black out the screen and block input there';

/**
 * Opens the menu and reads the state of the black screen: whether it is ticked, what else the menu says, and
 * the sign above.
 */
async function readBlackOut(page: BrowserPage): Promise<{ menu: string; sign: boolean }> {
  await page.click('[aria-label="More"]');
  const item = `${openItems}.find((each) => each.textContent.startsWith('${blackOut}'))`;
  await page.until(item);
  const menu = await page.evaluate<string>(
    `(({ ariaChecked, textContent }) => [ariaChecked, textContent.slice(${blackOut.length})].join(' ').trim())(${item})`,
  );
  await page.evaluate(`${item}.closest('[popover]').hidePopover()`);
  const sign = await page.evaluate<boolean>(`document.querySelector('.sign.shield') !== null`);
  return { menu, sign };
}

const untilNotice = (page: BrowserPage, text: string): Promise<unknown> =>
  page.until(
    `[...document.querySelectorAll('.notice')].some((each) => each.textContent.includes(${JSON.stringify(text)}))`,
  );

browserTest(
  'a screen counts as black when the device confirms it, and not when it was only requested',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page } = fixture;
    const device = await connectConsole(fixture);
    const silent = await readBlackOut(page);
    tellPeople(device, false);
    await waitUntilSettled(page, device);
    const asked = nextOf(device, 'shield');
    await chooseFromMenu(page, 'More', blackOut);
    assert.deepEqual(await asked, { on: true });
    const onlyAsked = await readBlackOut(page);
    device.send('refused', { kind: 'shield', message: 'Its graphics has no gamma.' });
    await untilNotice(page, 'Its graphics has no gamma.');
    const refused = await readBlackOut(page);

    await chooseFromMenu(page, 'More', blackOut);
    tellPeople(device, true);
    await waitUntilSettled(page, device);
    const black = await readBlackOut(page);
    tellPeople(device, false);
    await untilNotice(page, 'is no longer black');
    const lost = await readBlackOut(page);

    assert.deepEqual(silent, {
      menu: 'false This device does not report whether its screen is black.',
      sign: false,
    });
    const bright = { menu: 'false', sign: false };
    assert.deepEqual([onlyAsked, refused, lost], [bright, bright, bright]);
    assert.deepEqual(black, { menu: 'true', sign: true });
  },
);

browserTest(
  'a black screen is requested again after the connection was lost, and does not count until the device confirms it',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page, fakeServer } = fixture;
    const first = await connectConsole(fixture);
    tellPeople(first, true);
    await waitUntilSettled(page, first);

    fakeServer.cut();
    await page.until(`document.querySelector('.trouble:not([hidden])')?.textContent.includes('lost')`);
    const away = await page.evaluate(`document.querySelector('.sign.shield') !== null`);
    const device = await fakeServer.nextDevice();
    const asked = nextOf(device, 'shield');
    goLive(device);
    tellPeople(device, false);
    assert.deepEqual(await asked, { on: true });
    const onlyAsked = await readBlackOut(page);
    tellPeople(device, true);
    await untilNotice(page, 'is black again');

    assert.deepEqual([away, onlyAsked], [false, { menu: 'false', sign: false }]);
    assert.deepEqual(await readBlackOut(page), { menu: 'true', sign: true });

    fakeServer.cut();
    const third = await fakeServer.nextDevice();
    const askedAgain = nextOf(third, 'shield');
    goLive(third);
    tellPeople(third, false);
    await askedAgain;
    third.send('refused', { kind: 'shield', message: 'Another program has grabbed the mouse.' });
    await untilNotice(page, 'is no longer black');
    assert.deepEqual(await readBlackOut(page), { menu: 'false', sign: false });
  },
);

browserTest('safe mode is offered only for a device that supports it', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page } = fixture;
  const device = await connectConsole(fixture);
  const answers = async (): Promise<string[]> => {
    await chooseFromMenu(page, 'More', 'Reboot…');
    const found = await page.until<string[]>(
      `document.querySelector('dialog') && [...document.querySelectorAll('dialog button')].map((each) => each.textContent)`,
    );
    await page.click('dialog button');
    await page.until(`!document.querySelector('dialog')`);
    return found;
  };

  const onLinux = await answers();
  goLive(device, { os: 'win' });
  await waitUntilSettled(page, device);

  assert.deepEqual(onLinux, ['Cancel', 'Reboot']);
  assert.deepEqual(await answers(), ['Cancel', 'Reboot in safe mode', 'Reboot']);
});

const card = (page: BrowserPage): Promise<string> =>
  page.evaluate<string>(`document.querySelector('.card').innerText`);

browserTest(
  'a link that could not be opened because of the network can be retried, and no note is offered',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page, fakeServer } = fixture;
    fakeServer.isAway = true;

    await page.goto(`${fakeServer.url}/c/the-code`);
    await page.click('.button.primary');
    await page.until(`document.querySelector('h1')?.textContent === 'The session did not begin'`);
    const first = await card(page);
    fakeServer.isAway = false;
    await page.click('.button.primary');
    goLive(await fakeServer.nextDevice());
    await page.until(`document.querySelector('canvas')`);
    fakeServer.refusal = 'used';
    await page.click('.tool.end');
    await page.until(`document.querySelector('h1')?.textContent === 'The session has ended'`);
    const begun = await card(page);
    await page.goto(`${fakeServer.url}/c/another-code`);
    await page.click('.button.primary');
    await page.until(`document.querySelector('h1')?.textContent === 'The session did not begin'`);
    const used = await card(page);

    const offers = (text: string): string[] =>
      ['Save the note', 'Connect again'].filter((each) => text.split('\n').includes(each));
    assert.deepEqual(
      [offers(first), offers(begun), offers(used)],
      [['Connect again'], ['Save the note'], []],
    );
    assert.match(first, /The service cannot be reached/);
  },
);

browserTest(
  'a recording that cannot be shown says why: it is gone, there were too many attempts, or the service has a problem',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page, fakeServer } = fixture;
    const messages: string[] = [];
    for (const http of [404, 429, 500]) {
      fakeServer.recording = http;
      await page.goto(`${fakeServer.url}${playerPaths.page}/the-token`);
      await page.until(`!/Opening/.test(document.querySelector('.card')?.innerText ?? 'Opening')`);
      messages.push((await card(page)).replaceAll(/\s+/g, ' '));
    }
    fakeServer.recording = 200;
    await page.click('.button.primary');
    await page.until(`document.body.innerText.includes('Nothing was recorded in this session.')`);

    assert.match(messages[0]!, /^This recording does not exist.*wrong\.$/);
    assert.match(messages[1]!, /^There were too many tries.* Try again$/);
    assert.match(messages[2]!, /^The service has a problem.* Try again$/);
  },
);

browserTest('a device that cannot prove its identity is not shown, and the page says why', async () => {
  await using fixture = await startConsoleFixture(browser);
  fixture.fakeServer.signingKey = await createSigningKey();

  await fixture.page.goto(`${fixture.fakeServer.url}/c/the-code`);
  await fixture.page.click('.button.primary');
  await fixture.page.until(`document.body.textContent.includes('could not prove that it is the device')`);

  assert.equal(await fixture.page.evaluate(`document.querySelectorAll('canvas').length`), 0);
  // A session that has not begun cannot get a note.
  assert.equal(await fixture.page.evaluate(`document.querySelectorAll('#note').length`), 0);
});

browserTest('a device with a new key is shown in red until the operator decides', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page, fakeServer } = fixture;
  const first = await connectConsole(fixture);
  await page.click('.tool.end');
  await first.ended;
  fakeServer.deviceKey = await createSigningKey();

  await page.goto(`${fakeServer.url}/c/another-code`);
  await page.click('.button.primary');
  await page.until(`document.querySelector('.gate.red')`);
  assert.equal(await page.evaluate(`document.querySelectorAll('canvas').length`), 0);
  await page.click('.button.danger');
  goLive(await fakeServer.nextDevice());

  await page.until(`document.querySelector('canvas')`);
});

browserTest('a lost connection is reported and resumed, and the picture starts again', async () => {
  await using fixture = await startConsoleFixture(browser);
  await connectConsole(fixture);

  fixture.fakeServer.cut();
  await fixture.page.until(`document.querySelector('.trouble:not([hidden])')?.textContent.includes('lost')`);
  const device = await fixture.fakeServer.nextDevice();
  const view = nextOf(device, 'view');
  goLive(device);

  assert.equal((await view).fresh, true);
  showLayout(device);
  await showPicture(device);
  await fixture.page.until(`document.querySelector('.trouble').hidden`);
});

browserTest('reloading the page resumes the session instead of using the link again', async () => {
  await using fixture = await startConsoleFixture(browser);
  await connectConsole(fixture);

  // The browser asks first whether the person wants to leave.
  const asked = new Promise<Dialog>((resolve) => fixture.page.tab.once('dialog', resolve));
  const reload = fixture.page.tab.reload();
  await (await asked).accept();
  await reload;
  const hasReturned = `document.querySelector('.button.primary')?.textContent === 'Connect again'`;
  // A query in the middle of it would go to a page that is gone.
  await eventually(() => fixture.page.evaluate<boolean>(hasReturned).catch(() => false), Boolean);
  await fixture.page.click('.button.primary');
  goLive(await fixture.fakeServer.nextDevice());
  await fixture.page.until(`document.querySelector('canvas')`);

  assert.deepEqual(
    fixture.fakeServer.posts.map(({ path }) => path),
    ['/session/show', '/session/open', '/session/resume'],
  );
});

browserTest(
  'a message of the client is marked, read and answered; a note can be left at the end',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page, fakeServer } = fixture;
    const device = await connectConsole(fixture);

    device.send('chat', { text: '<b>hello</b>', name: 'Client' });
    await page.click('.tool.news[data-panel=chat]');
    await page.until(`document.querySelector('.chat-text')?.textContent === '<b>hello</b>'`);
    const answer = nextOf(device, 'chat');
    await page.type('.chat-writing textarea', 'good day');
    await page.click('.chat-writing button');
    assert.deepEqual(await answer, { text: 'good day', name: 'Olga Operator' });
    await page.click('.tool.end');
    await page.type('#note', 'All is well.');
    await page.click('.note .button');
    await page.until(`document.body.textContent.includes('Saved.')`);

    assert.deepEqual(fakeServer.posts.at(-1), {
      path: '/session/note',
      body: { session: 7, secret: 'the-secret-of-session-7', text: 'All is well.' },
    });
    assert.deepEqual(page.violations, []);
  },
);

browserTest(
  'on a phone a tap is a click, a long press the other button, two fingers scroll; and everything fits the width',
  async () => {
    await using fixture = await startConsoleFixture(browser, { phone: true, width: 390, height: 800 });
    const { page } = fixture;
    const device = await connectConsole(fixture);
    const received = recordFrames(device, 'pointer', 'wheel');
    const at = await toWindowPoint(page, 320, 200);
    const touch = (
      type: Protocol.Input.DispatchTouchEventRequest['type'],
      ...points: Protocol.Input.TouchPoint[]
    ): Promise<unknown> => page.devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points });

    // Both at once: on a busy machine a round trip is as long as a long press.
    await Promise.all([touch('touchStart', at), touch('touchEnd')]);
    await waitUntilSettled(page, device);
    assert.deepEqual(
      received.splice(0).map((each) => (each as { buttons: number }).buttons),
      [0, 1, 0],
    );
    const pressed = nextOf(device, 'pointer');
    await touch('touchStart', at);
    await pressed;
    await touch('touchEnd');
    await waitUntilSettled(page, device);
    assert.deepEqual(
      received.splice(0).map((each) => (each as { buttons: number }).buttons),
      [4, 0],
    );
    const other = { x: at.x + 60, y: at.y, id: 2 };
    await touch('touchStart', { ...at, id: 1 }, other);
    for (const y of [20, 40, 60])
      await touch('touchMove', { ...at, y: at.y - y, id: 1 }, { ...other, y: other.y - y });
    await touch('touchEnd');
    await waitUntilSettled(page, device);

    const scrolled = received.filter((each) => (each as { kind: string }).kind === 'wheel') as {
      deltaY: number;
    }[];
    assert.ok(scrolled.length > 0 && scrolled.every(({ deltaY }) => deltaY > 0), JSON.stringify(received));
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 390);
  },
);
