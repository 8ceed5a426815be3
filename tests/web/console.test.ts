/** The operator's page in a real browser: what it shows, what it sends, whom it believes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { playerPaths } from '@drawbridge/contract/session/player';
import type { DeviceSession } from '@drawbridge/web/session/device';
import { makeDeviceKey } from '@drawbridge/web/session/keys';
import { openBrowser, type Browser } from '../kit/browser.ts';
import type { BrowserPage } from '../kit/browser-page.ts';
import { eventually } from '../kit/eventually.ts';
import { skipWithout } from '../kit/machine.ts';
import {
  connect,
  goLive,
  nextOf,
  pixels,
  placeOf,
  showLayout,
  showPicture,
  size,
  startScene,
  tellPeople,
} from './console-scene.ts';
import { type Colour, pattern, plain, png } from './pictures.ts';

const skip = skipWithout('Chromium');
let browser: Browser;
before(async () => {
  if (!skip) browser = await openBrowser();
});
after(() => browser?.close());

const story = (name: string, tell: () => Promise<void>): void =>
  void test(name, { skip, timeout: 60_000 }, tell);

/** All of these kinds that come, in order. */
function record(
  device: DeviceSession,
  ...kinds: ('pointer' | 'wheel' | 'key' | 'text' | 'view' | 'clipboard')[]
): unknown[] {
  const heard: unknown[] = [];
  for (const kind of kinds) device.on(kind, (payload) => heard.push({ kind, ...payload }));
  return heard;
}

/** Everything the page has sent so far has been heard: what it sends now comes last. */
async function settled(page: BrowserPage, device: DeviceSession): Promise<void> {
  const mark = (lastMark += 1);
  const answered = new Promise<void>((resolve) => {
    device.on('shown', (number) => number === mark && resolve());
  });
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
  device.send('tiles', { number: mark, copies: [], tiles: [] });
  await answered;
}

let lastMark = 1_000;

/** Opens a menu and takes the item of this name. */
async function choose(page: BrowserPage, menu: string, item: string): Promise<void> {
  await page.click(`[aria-label="${menu}"]`);
  const found = `[...document.querySelectorAll('.menu-item')].find(({ textContent }) => textContent === '${item}')`;
  await page.until(found);
  await page.evaluate(`${found}.click()`);
}

const mouse = (page: BrowserPage, type: string, at: object, more: object = {}): Promise<unknown> =>
  page.send('Input.dispatchMouseEvent', { type, ...at, ...more });

story(
  'the picture is shown as the device sent it, to the last pixel, and moved content is moved',
  async () => {
    await using scene = await startScene(browser);
    const device = await connect(scene);
    const places = [
      [0, 0],
      [1, 0],
      [639, 399],
      [321, 200],
      [17, 333],
    ] as const;
    assert.deepEqual(
      await pixels(scene.page, places),
      places.map(([x, y]) => [...pattern(x, y)]),
    );

    const shown = nextOf(device, 'shown');
    device.send('tiles', {
      number: 2,
      // They overlap: what is read is always what was there before.
      copies: [{ x: 0, y: 0, width: 100, height: 100, toX: 10, toY: 20 }],
      tiles: [{ x: 0, y: 0, image: png(5, 5, plain([1, 2, 3])) }],
    });

    assert.equal(await shown, 2);
    assert.deepEqual(
      await pixels(scene.page, [
        [4, 4],
        [10, 20],
        [109, 119],
        [110, 120],
      ]),
      [[1, 2, 3], [...pattern(0, 0)], [...pattern(99, 99)], [...pattern(110, 120)]],
    );
    assert.deepEqual([scene.page.errors, scene.page.violations], [[], []]);
  },
);

/** A picture of one colour as VP8, encoded by the browser itself; brightness and colour are apart as the device takes them. */
const encode = (page: BrowserPage, [red, green, blue]: Colour): Promise<string> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const encoder = new VideoEncoder({
      output: (chunk) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        resolve(bytes.toBase64());
      },
      error: reject,
    });
    const [width, height] = [${size.width}, ${size.height}];
    encoder.configure({ codec: 'vp8', width, height, bitrate: 20_000_000 });
    const [r, g, b] = [${red}, ${green}, ${blue}];
    const data = new Uint8Array(width * height * 1.5);
    const [y, u, v] = [
      16 + 0.257 * r + 0.504 * g + 0.098 * b,
      128 - 0.148 * r - 0.291 * g + 0.439 * b,
      128 + 0.439 * r - 0.368 * g - 0.071 * b,
    ].map(Math.round);
    data.fill(y, 0, width * height);
    data.fill(u, width * height, width * height * 1.25);
    data.fill(v, width * height * 1.25);
    const frame = new VideoFrame(data, { format: 'I420', codedWidth: width, codedHeight: height, timestamp: 0 });
    encoder.encode(frame, { keyFrame: true });
    void encoder.flush();
  })`);

const isNear = (found: readonly number[] | undefined, wanted: readonly number[]): boolean =>
  wanted.every((value, index) => Math.abs(value - (found?.[index] ?? 999)) < 4);

story('video is drawn in its boxes only, and tiles that come after it lie above it', async () => {
  await using scene = await startScene(browser);
  const device = await connect(scene);
  const data = Buffer.from(await encode(scene.page, [200, 40, 90]), 'base64');
  const order: number[] = [];
  device.on('shown', (number) => order.push(number));

  device.send('video', { number: 2, key: true, boxes: [{ x: 100, y: 100, width: 50, height: 50 }], data });
  device.send('tiles', {
    number: 3,
    copies: [],
    tiles: [{ x: 110, y: 110, image: png(10, 10, plain([0, 0, 255])) }],
  });
  await settled(scene.page, device);

  const [inside, above, outside] = await pixels(scene.page, [
    [102, 102],
    [115, 115],
    [99, 99],
  ]);
  assert.ok(isNear(inside, [200, 40, 90]), String(inside));
  assert.deepEqual([above, outside], [[0, 0, 255], [...pattern(99, 99)]]);
  assert.deepEqual(order.slice(0, 2), [2, 3]);
});

story('video that can not be decoded is asked for anew, and what comes then is shown', async () => {
  await using scene = await startScene(browser);
  const device = await connect(scene);
  const data = Buffer.from(await encode(scene.page, [10, 200, 30]), 'base64');
  const whole = Buffer.from(data);
  const boxes = [{ x: 0, y: 0, ...size }];
  const asked = nextOf(device, 'view');

  device.send('video', { number: 2, key: true, boxes, data: Buffer.from('this is no picture at all') });
  assert.equal((await asked).fresh, true);
  const askedAgain = nextOf(device, 'view');
  // It begins as a picture does, and goes on as none.
  device.send('video', { number: 3, key: true, boxes, data: data.fill(0, 10, 40) });
  assert.equal((await askedAgain).fresh, true);
  device.send('video', { number: 4, key: false, boxes, data: whole });
  device.send('video', { number: 5, key: true, boxes, data: whole });
  await settled(scene.page, device);

  const [found] = await pixels(scene.page, [[300, 300]]);
  assert.ok(isNear(found, [10, 200, 30]), String(found));
});

story('a browser that can not decode video says so at the beginning', async () => {
  await using scene = await startScene(browser);
  const { page, stage } = scene;
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: 'delete globalThis.VideoDecoder' });
  await page.goto(`${stage.url}/c/the-code`);
  await page.click('.button.primary');
  const device = await stage.nextDevice();
  const view = nextOf(device, 'view');
  goLive(device);

  assert.equal((await view).video, false);
});

story(
  'mouse and wheel arrive at the pixel they were used on; moves may be left out, presses never',
  async () => {
    await using scene = await startScene(browser);
    const device = await connect(scene);
    const heard = record(device, 'pointer', 'wheel');
    const from = await placeOf(scene.page, 50, 60);
    const to = await placeOf(scene.page, 600, 300);

    await mouse(scene.page, 'mouseMoved', from);
    await settled(scene.page, device);
    await scene.page.evaluate(`(() => {
    const canvas = document.querySelector('canvas');
    const at = (type, buttons, button, place) => canvas.dispatchEvent(new PointerEvent(type, {
      clientX: place.x, clientY: place.y, buttons, button, pointerId: 1, pointerType: 'mouse', bubbles: true,
    }));
    canvas.setPointerCapture = () => {};
    const [from, to] = ${JSON.stringify([from, to])};
    at('pointerdown', 1, 0, from);
    for (let step = 1; step <= 50; step += 1)
      at('pointermove', 1, -1, { x: from.x + (to.x - from.x) * step / 50, y: from.y + (to.y - from.y) * step / 50 });
    at('pointermove', 3, 2, to);
    at('pointermove', 1, 2, to);
    at('pointerup', 0, 0, to);
  })()`);
    await mouse(scene.page, 'mouseWheel', to, { deltaX: 0, deltaY: 100 });
    await settled(scene.page, device);

    assert.deepEqual(heard, [
      { kind: 'pointer', x: 50, y: 60, buttons: 0 },
      { kind: 'pointer', x: 50, y: 60, buttons: 1 },
      { kind: 'pointer', x: 600, y: 300, buttons: 1 },
      { kind: 'pointer', x: 600, y: 300, buttons: 5 },
      { kind: 'pointer', x: 600, y: 300, buttons: 1 },
      { kind: 'pointer', x: 600, y: 300, buttons: 0 },
      { kind: 'wheel', x: 600, y: 300, deltaX: 0, deltaY: 120 },
    ]);
  },
);

const press = async (
  page: BrowserPage,
  type: 'keyDown' | 'keyUp',
  code: string,
  key: string,
): Promise<unknown> =>
  page.send('Input.dispatchKeyEvent', { type, code, key, ...(key.length === 1 && { text: key }) });

story(
  'keys arrive by place and meaning, characters without keys as text, and nothing stays pressed',
  async () => {
    await using scene = await startScene(browser);
    const device = await connect(scene);
    const heard = record(device, 'key', 'text');

    await press(scene.page, 'keyDown', 'KeyY', 'z');
    await press(scene.page, 'keyUp', 'KeyY', 'z');
    await scene.page.send('Input.insertText', { text: 'żółw 🐢' });
    await press(scene.page, 'keyDown', 'ShiftLeft', 'Shift');
    await scene.page.click('[aria-label="View"]');
    await settled(scene.page, device);

    assert.deepEqual(heard, [
      { kind: 'key', down: true, code: 'KeyY', key: 'z' },
      { kind: 'key', down: false, code: 'KeyY', key: 'z' },
      { kind: 'text', text: 'żółw 🐢' },
      { kind: 'key', down: true, code: 'ShiftLeft', key: 'Shift' },
      { kind: 'key', down: false, code: 'ShiftLeft', key: 'Shift' },
    ]);
  },
);

story('what is pasted is in the clipboard of the device before the keys that paste it are', async () => {
  await using scene = await startScene(browser);
  const device = await connect(scene);
  const heard = record(device, 'key', 'clipboard');

  await press(scene.page, 'keyDown', 'ControlLeft', 'Control');
  await scene.page.evaluate(`(() => {
    const catcher = document.querySelector('.catcher');
    const key = (type) => new KeyboardEvent(type, { code: 'KeyV', key: 'v', ctrlKey: true, bubbles: true, cancelable: true });
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'from here');
    catcher.dispatchEvent(key('keydown'));
    catcher.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    catcher.dispatchEvent(key('keyup'));
  })()`);
  await settled(scene.page, device);

  assert.deepEqual(heard, [
    { kind: 'key', down: true, code: 'ControlLeft', key: 'Control' },
    { kind: 'clipboard', text: 'from here' },
    { kind: 'key', down: true, code: 'KeyV', key: 'v' },
    { kind: 'key', down: false, code: 'KeyV', key: 'v' },
  ]);
});

story('Ctrl+Alt+Del is sent from the menu', async () => {
  await using scene = await startScene(browser);
  const device = await connect(scene);
  const heard = record(device, 'key');

  await choose(scene.page, 'Keys', 'Ctrl+Alt+Del');
  await settled(scene.page, device);

  const words = heard.map((key) => `${(key as { code: string }).code} ${(key as { down: boolean }).down}`);
  assert.deepEqual(words, [
    'ControlLeft true',
    'AltLeft true',
    'Delete true',
    'Delete false',
    'AltLeft false',
    'ControlLeft false',
  ]);
});

story('view only sends neither mouse nor keys', async () => {
  await using scene = await startScene(browser);
  const device = await connect(scene);
  const heard = record(device, 'pointer', 'key');

  await choose(scene.page, 'View', 'View only');
  const at = await placeOf(scene.page, 5, 5);
  await mouse(scene.page, 'mousePressed', at, { button: 'left', clickCount: 1 });
  await mouse(scene.page, 'mouseReleased', at, { button: 'left', clickCount: 1 });
  await press(scene.page, 'keyDown', 'KeyA', 'a');
  await settled(scene.page, device);

  assert.deepEqual(heard, []);
});

story('only what the session allows is offered, and what the device can not do says why', async () => {
  await using scene = await startScene(browser);
  await connect(scene, {
    permissions: ['agent_connect', 'agent_chat'],
    unable: { agent_clipboard: 'There is no clipboard here.' },
  });

  const titles = await scene.page.evaluate<string[]>(
    `[...document.querySelectorAll('.bar .tool')].map((tool) => tool.title)`,
  );

  assert.deepEqual(
    titles.filter((title) => title !== 'Connection'),
    ['View', 'Clipboard: There is no clipboard here.', 'Chat', 'People', 'Safety code', 'End the session'],
  );
});

const blackOut = 'Black out the screen and block input there';

/** Opens the menu to read of the black screen in it: whether it is ticked, and what else is said there; and the sign above. */
async function readBlackOut(page: BrowserPage): Promise<{ menu: string; sign: boolean }> {
  await page.click('[aria-label="More"]');
  const item = `[...document.querySelectorAll('.menu-item')].find((each) => each.textContent.startsWith('${blackOut}'))`;
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

story('a screen counts as black when the device says so, and not when it was only asked for', async () => {
  await using scene = await startScene(browser);
  const { page } = scene;
  const device = await connect(scene);
  const silent = await readBlackOut(page);
  tellPeople(device, false);
  await settled(page, device);
  const asked = nextOf(device, 'shield');
  await choose(page, 'More', blackOut);
  assert.deepEqual(await asked, { on: true });
  const onlyAsked = await readBlackOut(page);
  device.send('refused', { kind: 'shield', message: 'Its graphics has no gamma.' });
  await untilNotice(page, 'Its graphics has no gamma.');
  const refused = await readBlackOut(page);

  await choose(page, 'More', blackOut);
  tellPeople(device, true);
  await settled(page, device);
  const black = await readBlackOut(page);
  tellPeople(device, false);
  await untilNotice(page, 'is not black any more');
  const lost = await readBlackOut(page);

  assert.deepEqual(silent, {
    menu: 'false This device does not tell whether its screen is black.',
    sign: false,
  });
  const bright = { menu: 'false', sign: false };
  assert.deepEqual([onlyAsked, refused, lost], [bright, bright, bright]);
  assert.deepEqual(black, { menu: 'true', sign: true });
});

story(
  'a black screen is asked for anew after the connection was lost, and is none until the device says so',
  async () => {
    await using scene = await startScene(browser);
    const { page, stage } = scene;
    const first = await connect(scene);
    tellPeople(first, true);
    await settled(page, first);

    stage.cut();
    await page.until(`document.querySelector('.trouble:not([hidden])')?.textContent.includes('lost')`);
    const away = await page.evaluate(`document.querySelector('.sign.shield') !== null`);
    const device = await stage.nextDevice();
    const asked = nextOf(device, 'shield');
    goLive(device);
    tellPeople(device, false);
    assert.deepEqual(await asked, { on: true });
    const onlyAsked = await readBlackOut(page);
    tellPeople(device, true);
    await untilNotice(page, 'is black again');

    assert.deepEqual([away, onlyAsked], [false, { menu: 'false', sign: false }]);
    assert.deepEqual(await readBlackOut(page), { menu: 'true', sign: true });

    stage.cut();
    const third = await stage.nextDevice();
    const askedAgain = nextOf(third, 'shield');
    goLive(third);
    tellPeople(third, false);
    await askedAgain;
    third.send('refused', { kind: 'shield', message: 'Another program holds the mouse.' });
    await untilNotice(page, 'is not black any more');
    assert.deepEqual(await readBlackOut(page), { menu: 'false', sign: false });
  },
);

story('only to a device that can start in safe mode it is offered', async () => {
  await using scene = await startScene(browser);
  const { page } = scene;
  const device = await connect(scene);
  const answers = async (): Promise<string[]> => {
    await choose(page, 'More', 'Reboot…');
    const found = await page.until<string[]>(
      `document.querySelector('dialog') && [...document.querySelectorAll('dialog button')].map((each) => each.textContent)`,
    );
    await page.click('dialog button');
    await page.until(`!document.querySelector('dialog')`);
    return found;
  };

  const onLinux = await answers();
  goLive(device, { os: 'win' });
  await settled(page, device);

  assert.deepEqual(onLinux, ['Cancel', 'Reboot']);
  assert.deepEqual(await answers(), ['Cancel', 'Reboot in safe mode', 'Reboot']);
});

const card = (page: BrowserPage): Promise<string> =>
  page.evaluate<string>(`document.querySelector('.card').innerText`);

story(
  'a link that could not be opened for the network can be tried again, and there is nothing to note',
  async () => {
    await using scene = await startScene(browser);
    const { page, stage } = scene;
    stage.isAway = true;

    await page.goto(`${stage.url}/c/the-code`);
    await page.click('.button.primary');
    await page.until(`document.querySelector('h1')?.textContent === 'The session did not begin'`);
    const first = await card(page);
    stage.isAway = false;
    await page.click('.button.primary');
    goLive(await stage.nextDevice());
    await page.until(`document.querySelector('canvas')`);
    stage.refusal = 'used';
    await page.click('.tool.end');
    await page.until(`document.querySelector('h1')?.textContent === 'The session has ended'`);
    const begun = await card(page);
    await page.goto(`${stage.url}/c/another-code`);
    await page.click('.button.primary');
    await page.until(`document.querySelector('h1')?.textContent === 'The session did not begin'`);
    const used = await card(page);

    const offers = (text: string): string[] =>
      ['Save the note', 'Try again'].filter((each) => text.includes(each));
    assert.deepEqual([offers(first), offers(begun), offers(used)], [['Try again'], ['Save the note'], []]);
    assert.match(first, /The service can not be reached/);
  },
);

story(
  'a recording that can not be shown says why: it is gone, there were too many tries, or the service has a problem',
  async () => {
    await using scene = await startScene(browser);
    const { page, stage } = scene;
    const said: string[] = [];
    for (const http of [404, 429, 500]) {
      stage.recording = http;
      await page.goto(`${stage.url}${playerPaths.page}/the-token`);
      await page.until(`!/Opening/.test(document.querySelector('.card')?.innerText ?? 'Opening')`);
      said.push((await card(page)).replaceAll(/\s+/g, ' '));
    }
    stage.recording = 200;
    await page.click('.button.primary');
    await page.until(`document.body.innerText.includes('Nothing was recorded in this session.')`);

    assert.match(said[0]!, /^This recording is not there.*not right\.$/);
    assert.match(said[1]!, /^There were too many tries.* Try again$/);
    assert.match(said[2]!, /^The service has a problem.* Try again$/);
  },
);

story('a device that can not prove who it is is not shown, and the page says why', async () => {
  await using scene = await startScene(browser);
  scene.stage.signingKey = await makeDeviceKey();

  await scene.page.goto(`${scene.stage.url}/c/the-code`);
  await scene.page.click('.button.primary');
  await scene.page.until(`document.body.textContent.includes('could not prove that it is the device')`);

  assert.equal(await scene.page.evaluate(`document.querySelectorAll('canvas').length`), 0);
  // Of what has not begun nothing can be noted.
  assert.equal(await scene.page.evaluate(`document.querySelectorAll('#note').length`), 0);
});

story('a device with a new key is shown in red until somebody decides', async () => {
  await using scene = await startScene(browser);
  const { page, stage } = scene;
  const first = await connect(scene);
  await page.click('.tool.end');
  await first.ended;
  stage.deviceKey = await makeDeviceKey();

  await page.goto(`${stage.url}/c/another-code`);
  await page.click('.button.primary');
  await page.until(`document.querySelector('.gate.red')`);
  assert.equal(await page.evaluate(`document.querySelectorAll('canvas').length`), 0);
  await page.click('.button.danger');
  goLive(await stage.nextDevice());

  await page.until(`document.querySelector('canvas')`);
});

story('a lost connection is said, found again, and the picture starts anew', async () => {
  await using scene = await startScene(browser);
  await connect(scene);

  scene.stage.cut();
  await scene.page.until(`document.querySelector('.trouble:not([hidden])')?.textContent.includes('lost')`);
  const device = await scene.stage.nextDevice();
  const view = nextOf(device, 'view');
  goLive(device);

  assert.equal((await view).fresh, true);
  showLayout(device);
  await showPicture(device);
  await scene.page.until(`document.querySelector('.trouble').hidden`);
});

story('loading the page anew goes on with the session instead of using the link again', async () => {
  await using scene = await startScene(browser);
  await connect(scene);

  const reload = scene.page.send('Page.reload');
  // The browser asks first whether the person wants to leave.
  await eventually(
    () => scene.page.send('Page.handleJavaScriptDialog', { accept: true }).then(Boolean, () => false),
    Boolean,
  );
  await reload;
  const hasReturned = `document.querySelector('.button.primary')?.textContent === 'Connect again'`;
  // Whoever asks in the middle of it asks a page that is gone.
  await eventually(() => scene.page.evaluate<boolean>(hasReturned).catch(() => false), Boolean);
  await scene.page.click('.button.primary');
  goLive(await scene.stage.nextDevice());
  await scene.page.until(`document.querySelector('canvas')`);

  assert.deepEqual(
    scene.stage.posts.map(({ path }) => path),
    ['/session/open', '/session/resume'],
  );
});

story('a message of the client is marked, read and answered; a note can be left at the end', async () => {
  await using scene = await startScene(browser);
  const { page, stage } = scene;
  const device = await connect(scene);

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

  assert.deepEqual(stage.posts.at(-1), {
    path: '/session/note',
    body: { session: 7, secret: 'the-secret-of-session-7', text: 'All is well.' },
  });
  assert.deepEqual(page.violations, []);
});

story(
  'on a phone a tap is a click, a long press the other button, two fingers scroll; and all fits the width',
  async () => {
    await using scene = await startScene(browser, { phone: true, width: 390, height: 800 });
    const { page } = scene;
    const device = await connect(scene);
    const heard = record(device, 'pointer', 'wheel');
    const at = await placeOf(page, 320, 200);
    const touch = (type: string, ...points: object[]): Promise<unknown> =>
      page.send('Input.dispatchTouchEvent', { type, touchPoints: points });

    // Both at once: on a busy machine the way there and back is as long as a long press.
    await Promise.all([touch('touchStart', at), touch('touchEnd')]);
    await settled(page, device);
    assert.deepEqual(
      heard.splice(0).map((each) => (each as { buttons: number }).buttons),
      [0, 1, 0],
    );
    const pressed = nextOf(device, 'pointer');
    await touch('touchStart', at);
    await pressed;
    await touch('touchEnd');
    await settled(page, device);
    assert.deepEqual(
      heard.splice(0).map((each) => (each as { buttons: number }).buttons),
      [4, 0],
    );
    const other = { x: at.x + 60, y: at.y, id: 2 };
    await touch('touchStart', { ...at, id: 1 }, other);
    for (const y of [20, 40, 60])
      await touch('touchMove', { ...at, y: at.y - y, id: 1 }, { ...other, y: other.y - y });
    await touch('touchEnd');
    await settled(page, device);

    const scrolled = heard.filter((each) => (each as { kind: string }).kind === 'wheel') as {
      deltaY: number;
    }[];
    assert.ok(scrolled.length > 0 && scrolled.every(({ deltaY }) => deltaY > 0), JSON.stringify(heard));
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 390);
  },
);
