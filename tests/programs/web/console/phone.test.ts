/** The operator's page on a phone: the bar with keys, the on-screen keyboard and gestures, by real touches. */
import assert from 'node:assert/strict';
import type { Protocol } from 'puppeteer-core';
import type { KeyInput } from '@drawbridge/contract/session/binary-frames';
import type { DeviceSession } from '@drawbridge/web/join/accept-session';
import type { PagePoint } from '../../../kit/browser/any-page.ts';
import { accessibilityProblems } from '../../../kit/browser/accessibility.ts';
import type { BrowserPage } from '../../../kit/browser/browser-page.ts';
import { eventually } from '../../../kit/eventually.ts';
import {
  connectConsole,
  goLive,
  nextOf,
  startConsoleFixture,
  type ConsoleFixture,
} from './console-fixture.ts';
import { browser, browserTest, chooseFromMenu, recordFrames, waitUntilSettled } from './console-browser.ts';

const phone = { phone: true, width: 390, height: 800 };

const touch = (
  { devtools }: BrowserPage,
  type: Protocol.Input.DispatchTouchEventRequest['type'],
  ...touchPoints: Protocol.Input.TouchPoint[]
): Promise<unknown> => devtools.send('Input.dispatchTouchEvent', { type, touchPoints });

/** The centre of the key with this name, once it can be touched. */
const keyAt = (page: BrowserPage, name: string): Promise<PagePoint> =>
  page.until(`(() => {
    const key = [...document.querySelectorAll('.bar-key')].find((each) =>
      (each.ariaLabel ?? each.textContent).split(',')[0] === ${JSON.stringify(name)});
    if (!key || key.offsetParent === null) return;
    const { x, y, width, height } = key.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  })()`);

/** All at once: on a busy machine a round trip is as long as a long press, or longer than a double tap. */
async function tap(page: BrowserPage, name: string, count = 1): Promise<void> {
  const at = await keyAt(page, name);
  const taps = Array.from({ length: count }, () => [touch(page, 'touchStart', at), touch(page, 'touchEnd')]);
  await Promise.all(taps.flat());
}

const stateOf = (page: BrowserPage, name: string): Promise<string[]> =>
  page.evaluate(`(() => {
    const key = [...document.querySelectorAll('.bar-key')].find((each) => each.textContent === '${name}');
    return [key.ariaLabel, key.ariaPressed, key.dataset.state];
  })()`);

interface PhoneFixture extends ConsoleFixture {
  device: DeviceSession;
  /** The keys and texts received since the last call. */
  received(): Promise<string[]>;
}

async function startPhone(look: Partial<typeof phone> = {}): Promise<PhoneFixture> {
  const fixture = await startConsoleFixture(browser, { ...phone, ...look });
  const device = await connectConsole(fixture);
  const frames = recordFrames(device, 'key', 'text') as ({ kind: string } & KeyInput & { text: string })[];
  const describe = ({ kind, code, key, down, text }: (typeof frames)[number]): string =>
    kind === 'text' ? `text ${text}` : `${code || key} ${down ? 'down' : 'up'}`;
  return {
    ...fixture,
    device,
    async received() {
      await waitUntilSettled(fixture.page, device);
      return frames.splice(0).map(describe);
    },
  };
}

/** Types as the keyboard of a phone does: the text under the caret is provisional until it is committed. */
const compose = ({ devtools }: BrowserPage, text: string): Promise<unknown> =>
  devtools.send('Input.imeSetComposition', {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  });
const commit = ({ devtools }: BrowserPage, text: string): Promise<unknown> =>
  devtools.send('Input.insertText', { text });

const keyboardIsOpen = `document.activeElement.className === 'catcher'`;

browserTest(
  'a modifier is held for the next key after a tap, and until the next tap after a double tap',
  async () => {
    await using fixture = await startPhone();
    const { page, received } = fixture;

    await tap(page, 'Ctrl');
    assert.deepEqual(await received(), ['ControlLeft down']);
    assert.deepEqual(await stateOf(page, 'Ctrl'), ['Ctrl', 'true', 'once']);
    await tap(page, 'Tab');
    assert.deepEqual(await received(), ['Tab down', 'Tab up', 'ControlLeft up']);
    assert.deepEqual(await stateOf(page, 'Ctrl'), ['Ctrl', 'false', 'off']);

    await tap(page, 'Alt', 2);
    await tap(page, 'Tab');
    await tap(page, 'Esc');
    assert.deepEqual(await stateOf(page, 'Alt'), ['Alt, locked', 'true', 'locked']);
    await tap(page, 'Alt');
    assert.equal(
      (await received()).join(', '),
      'AltLeft down, Tab down, Tab up, Escape down, Escape up, AltLeft up',
    );
  },
);

browserTest(
  'modifiers are released in view only, when the page loses the focus, and when the keyboard closes',
  async () => {
    await using fixture = await startPhone();
    const { page, received } = fixture;

    await tap(page, 'Super', 2);
    await page.evaluate(`dispatchEvent(new Event('blur'))`);
    assert.deepEqual(await received(), ['MetaLeft down', 'MetaLeft up']);
    assert.deepEqual(await stateOf(page, 'Super'), ['Super', 'false', 'off']);

    await tap(page, 'On-screen keyboard');
    await tap(page, 'Ctrl', 2);
    await tap(page, 'On-screen keyboard');
    assert.deepEqual(await received(), ['ControlLeft down', 'ControlLeft up']);

    await tap(page, 'Ctrl', 2);
    await chooseFromMenu(page, 'View', 'View only');
    assert.deepEqual(await received(), ['ControlLeft down', 'ControlLeft up']);
    assert.equal(await page.evaluate(`document.querySelector('.key-bar').offsetParent`), null);
  },
);

browserTest('a terminal has keys of its own: Ctrl for the next character, Esc, Tab and arrows', async () => {
  await using fixture = await startPhone();
  const { page, device } = fixture;
  const typed: string[] = [];
  device.on('terminal_bytes', ({ data }) => void typed.push(JSON.stringify(Buffer.from(data).toString())));
  const opened = nextOf(device, 'terminal');
  await page.click('[data-panel=terminal]');
  await opened;

  for (const name of ['Esc', 'Tab', 'Up arrow']) await tap(page, name);
  await tap(page, 'Ctrl');
  await page.click('.terminal');
  await page.tab.keyboard.type('cd');
  await tap(page, 'Ctrl');
  await tap(page, 'Left arrow');
  device.send('terminal_bytes', { id: 1, at: 0, data: Buffer.from('\x1b[?1h$') });
  await page.until(`document.querySelector('.xterm-rows')?.textContent.includes('$')`);
  await tap(page, 'Right arrow');

  const keys = ['\x1b', '\t', '\x1b[A', '\x03', 'd', '\x1b[1;5D', '\x1bOC'];
  await eventually(
    () => typed,
    ({ length }) => length === keys.length,
  );
  assert.deepEqual(
    typed,
    keys.map((key) => JSON.stringify(key)),
  );
});

browserTest('after a reconnect no modifier is held, neither in the bar nor on the device', async () => {
  await using fixture = await startPhone();
  const { page, fakeServer } = fixture;

  await tap(page, 'Ctrl', 2);
  await fixture.received();
  fakeServer.cut();
  const device = await fakeServer.nextDevice();
  const view = nextOf(device, 'view');
  goLive(device);
  await view;
  const frames = recordFrames(device, 'key');
  await tap(page, 'Esc');
  await waitUntilSettled(page, device);

  assert.deepEqual(await stateOf(page, 'Ctrl'), ['Ctrl', 'false', 'off']);
  assert.deepEqual(
    frames.map((each) => (each as { code: string }).code),
    ['Escape', 'Escape'],
  );
});

browserTest('an arrow repeats while it is held, with the modifier that was tapped before it', async () => {
  await using fixture = await startPhone();
  const { page, device, received } = fixture;
  const at = await keyAt(page, 'Right arrow');
  let presses = 0;
  device.on('key', ({ code, down }) => (presses += code === 'ArrowRight' && down ? 1 : 0));

  await tap(page, 'Ctrl');
  await touch(page, 'touchStart', at);
  await eventually(
    async () => presses,
    (count) => count >= 4,
  );
  await touch(page, 'touchEnd');
  const held = await received();
  await tap(page, 'Left arrow');

  const press = ['ControlLeft down', 'ArrowRight down', 'ArrowRight up', 'ControlLeft up'];
  assert.deepEqual(held, Array.from({ length: presses }, () => press).flat());
  assert.deepEqual(await received(), ['ArrowLeft down', 'ArrowLeft up']);
});

browserTest('an arrow that is held while the connection is lost stops when it is released', async () => {
  await using fixture = await startPhone();
  const { page, fakeServer } = fixture;
  await touch(page, 'touchStart', await keyAt(page, 'Right arrow'));

  fakeServer.cut();
  const device = await fakeServer.nextDevice();
  const frames = recordFrames(device, 'key') as KeyInput[];
  const pressesOf = async (code: string): Promise<number> =>
    frames.filter((each) => each.code === code && each.down).length;
  goLive(device);
  await eventually(
    () => pressesOf('ArrowRight'),
    (count) => count > 0,
  );
  await touch(page, 'touchEnd');
  await waitUntilSettled(page, device);
  frames.splice(0);
  await touch(page, 'touchStart', await keyAt(page, 'Left arrow'));
  await eventually(
    () => pressesOf('ArrowLeft'),
    (count) => count >= 4,
  );
  await touch(page, 'touchEnd');

  assert.equal(await pressesOf('ArrowRight'), 0);
});

browserTest('the button opens and closes the keyboard, and the other keys leave it open', async () => {
  await using fixture = await startPhone();
  const { page } = fixture;
  const isPressed = `document.querySelector('.bar-key').ariaPressed`;
  assert.deepEqual([await page.evaluate(keyboardIsOpen), await page.evaluate(isPressed)], [false, 'false']);

  await tap(page, 'On-screen keyboard');
  await page.until(keyboardIsOpen);
  for (const name of ['Ctrl', 'Esc', 'Up arrow']) await tap(page, name);
  await fixture.received();
  assert.deepEqual([await page.evaluate(keyboardIsOpen), await page.evaluate(isPressed)], [true, 'true']);

  await tap(page, 'On-screen keyboard');
  await page.until(`!(${keyboardIsOpen})`);
  assert.equal(await page.evaluate(isPressed), 'false');
});

browserTest('a keyboard that was closed by the phone opens again with one tap', async () => {
  await using fixture = await startPhone();
  const { page } = fixture;
  await tap(page, 'On-screen keyboard');
  await page.until(keyboardIsOpen);

  // The page hears of the smaller window with the next frame; without that it could not notice the larger one.
  await page.evaluate(
    `visualViewport.addEventListener('resize', () => (window.heardOf = visualViewport.height))`,
  );
  await page.emulate({ ...phone, height: 480 });
  await page.until('window.heardOf === 480');
  assert.equal(await page.evaluate(keyboardIsOpen), true);
  await page.emulate(phone);
  await page.until(`!(${keyboardIsOpen})`);
  await tap(page, 'On-screen keyboard');
  await page.until(keyboardIsOpen);
});

browserTest('where the keyboard covers the page, the bar stays above the keyboard', async () => {
  await using fixture = await startPhone();
  const { page } = fixture;
  const lowerEdge = `Math.round(document.querySelector('.key-bar').getBoundingClientRect().bottom)`;
  assert.equal(await page.evaluate(lowerEdge), 800);

  const cover = (height: number): Promise<unknown> =>
    page.evaluate(`{
      Object.defineProperty(visualViewport, 'height', { get: () => ${height}, configurable: true });
      visualViewport.dispatchEvent(new Event('resize'));
    }`);
  await cover(460);
  assert.equal(await page.evaluate(lowerEdge), 460);
  await cover(800);
  assert.equal(await page.evaluate(lowerEdge), 800);
});

/** What a text field on the device contains after these keys and texts. */
function typedInto(frames: readonly string[]): string {
  const characters: string[] = [];
  for (const frame of frames)
    if (frame.startsWith('text ')) characters.push(...frame.slice(5));
    else if (frame === 'Backspace down') characters.pop();
    else if (frame === 'Enter down') characters.push('\n');
  return characters.join('');
}

browserTest('text arrives as it was typed, also if the keyboard of the phone corrects it', async () => {
  await using fixture = await startPhone();
  const { page, received } = fixture;
  await tap(page, 'On-screen keyboard');

  for (const text of ['t', 'te', 'teh']) await compose(page, text);
  assert.equal(typedInto(await received()), 'teh');
  await commit(page, 'the ');
  for (const text of ['n', 'na', 'nai', 'naiv']) await compose(page, text);
  await commit(page, 'naïve');
  await commit(page, '\n');
  await commit(page, '👍🏽 żółw');
  const frames = ['text teh', ...(await received())];

  assert.equal(typedInto(frames), 'the naïve\n👍🏽 żółw');
});

browserTest(
  'a character typed with a modifier is a shortcut, and no correction deletes it later',
  async () => {
    await using fixture = await startPhone();
    const { page, received } = fixture;
    await tap(page, 'On-screen keyboard');
    await tap(page, 'Ctrl');

    await compose(page, 'c');
    assert.deepEqual(await received(), ['ControlLeft down', 'KeyC down', 'KeyC up', 'ControlLeft up']);
    await compose(page, 'v');
    await commit(page, 'w');

    assert.deepEqual(await received(), ['text v', 'Backspace down', 'Backspace up', 'text w']);
  },
);

browserTest('choosing from a menu does not open the keyboard', async () => {
  await using fixture = await startPhone();
  const { page } = fixture;

  await chooseFromMenu(page, 'View', 'Fit to window');
  await chooseFromMenu(page, 'Keys', 'Alt+Tab');
  await fixture.received();

  assert.equal(await page.evaluate(keyboardIsOpen), false);
});

/** The part of the window in which the screen is shown, and the screen itself. */
const boxes = (page: BrowserPage): Promise<Record<'stage' | 'screen', Record<string, number>>> =>
  page.evaluate(`Object.fromEntries(['stage', 'screen'].map((name) =>
    [name, document.querySelector('.' + name).getBoundingClientRect().toJSON()]))`);

async function moveTwoFingers(
  page: BrowserPage,
  from: readonly [PagePoint, PagePoint],
  to: readonly [PagePoint, PagePoint],
): Promise<void> {
  const between = (share: number): Protocol.Input.TouchPoint[] =>
    from.map(({ x, y }, id) => ({
      id,
      x: x + (to[id]!.x - x) * share,
      y: y + (to[id]!.y - y) * share,
    }));
  await touch(page, 'touchStart', ...between(0));
  for (let step = 1; step <= 24; step += 1) await touch(page, 'touchMove', ...between(step / 24));
  await touch(page, 'touchEnd');
}

browserTest(
  'two fingers beside the small screen of a phone zoom and scroll it, and one finger there does nothing',
  async () => {
    await using fixture = await startPhone();
    const { page, device } = fixture;
    const frames = recordFrames(device, 'pointer', 'wheel') as { kind: string; deltaY: number }[];
    const { stage, screen } = await boxes(page);
    const above = { x: 195, y: (stage['top']! + screen['top']!) / 2 };
    const below = { x: 195, y: screen['bottom']! + 40 };

    await moveTwoFingers(page, [above, { x: 250, y: above.y }], [below, { x: 250, y: below.y }]);
    await waitUntilSettled(page, device);
    const scrolled = frames.splice(0);
    assert.ok(scrolled.length > 0 && scrolled.every(({ kind, deltaY }) => kind === 'wheel' && deltaY < 0));

    await Promise.all([touch(page, 'touchStart', above), touch(page, 'touchEnd')]);
    await touch(page, 'touchStart', above);
    for (const y of [above.y + 40, below.y]) await touch(page, 'touchMove', { ...above, y });
    await touch(page, 'touchEnd');
    await moveTwoFingers(page, [above, { x: 195, y: above.y + 60 }], [above, { x: 195, y: above.y + 180 }]);
    await waitUntilSettled(page, device);

    assert.deepEqual(frames, []);
    const zoomed = (await boxes(page)).screen['width']! / screen['width']!;
    assert.ok(zoomed > 1.5, `zoomed by ${zoomed}`);
  },
);

browserTest('the gestures are explained once, and the explanation can be dismissed', async () => {
  await using fixture = await startPhone();
  const { page } = fixture;
  const hint = `document.querySelector('.touch-hint')`;
  assert.match(await page.evaluate(`${hint}.innerText`), /Pinch to zoom.*two fingers to scroll/s);

  await page.click('.touch-hint button');
  await page.until(`!${hint}`);
  await page.click('[aria-label="End the session"]');
  await page.until(`document.querySelector('.gate')`);
  await connectConsole(fixture);

  assert.equal(await page.evaluate(hint), null);
});

browserTest('all keys fit a narrow phone, and a computer with a wide window shows none', async () => {
  await using fixture = await startPhone({ width: 320, height: 568 });
  const { page } = fixture;

  const keys = await page.evaluate<number[][]>(
    `[...document.querySelectorAll('.bar-key')].map((key) => {
      const { left, right, width, height } = key.getBoundingClientRect();
      return [left, right, width, height, key.scrollWidth - key.clientWidth];
    })`,
  );
  assert.equal(keys.length, 10);
  for (const [left, right, width, height, hidden] of keys)
    assert.ok(left! >= 0 && right! <= 320 && width! >= 24 && height! >= 44 && hidden === 0, String(keys));
  assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 320);

  assert.deepEqual(await accessibilityProblems(page, { part: `document.querySelector('.key-bar')` }), []);

  await page.emulate({ width: 1_280, height: 800 });
  assert.equal(await page.evaluate(`document.querySelector('.key-bar').offsetParent`), null);
});
