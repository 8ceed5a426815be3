/** One measurement: a viewer connects to a peer that shows the content, first watches and then clicks. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from '../../tests/kit/browser/browser.ts';
import type { BrowserPage } from '../../tests/kit/browser/browser-page.ts';
import type { SimulatedLink, LinkSpeed } from './link.ts';
import { clickBlock, type BenchScreenSize } from './marks.ts';
import type { StartedPeer } from './started-peer.ts';
import { childWith, processTreeSeconds, machineSeconds } from './processes.ts';
import { watchScript, type WatchedPage } from './watch.ts';

export interface ScreenFigures {
  /** Milliseconds until the first frame is drawn, and for still content until its last part is drawn. */
  first: number;
  whole: number;
  /** Frames shown per second. */
  shown: number;
  /** Milliseconds from a click to its effect: median and 95th percentile. */
  p50: number;
  p95: number;
  /** Median milliseconds from a key to its effect. NaN where no window takes keys. */
  key: number;
  /** Median age of frames when they are shown, in milliseconds. */
  age: number;
  /** Median milliseconds from the last frame before a pause of a film until all of it is exact. */
  exact: number;
  /** Percent of the video frames that had half size. */
  half: number;
  kilobytes: number;
  /** Percent of one core. */
  agent: number;
  between: number;
  browser: number;
  /** CPU of all other processes meanwhile, in percent of one core. */
  others: number;
}

export interface ScreenCase {
  shown: StartedPeer;
  size: BenchScreenSize;
  speed: LinkSpeed;
  seconds: number;
  /** Number of clicks; zero if only watching is measured. */
  clicks: number;
}

const warmMs = 2_000;
/** Input without a visible effect within this time is lost, and the rest is not tried. */
const effectTimeoutMs = 4_000;

export async function measureScreen(
  browser: Browser,
  link: SimulatedLink,
  cell: ScreenCase,
): Promise<ScreenFigures> {
  const { shown, size, speed } = cell;
  link.lead(shown.port, speed);
  const page = await browser.page();
  try {
    await page.tab.evaluateOnNewDocument(watchScript + (shown.script ?? ''));
    await page.emulate(size);
    await page.goto(shown.url);
    await shown.connect(page);
    await fit(page, size);
    await wait(warmMs);
    const rates = await watch(page, link, cell);
    const times = cell.clicks > 0 ? await click(page, cell) : [];
    const keyTimes = times.length > 0 ? await pressKeys(page, cell) : [];
    await shown.leave(page);
    return { ...rates, p50: at(times, 0.5), p95: at(times, 0.95), key: at(keyTimes, 0.5) };
  } catch (error) {
    const text = await page.evaluate<string>('document.body.innerText');
    throw new Error(`the page says: ${text}`, { cause: error });
  } finally {
    await page.close();
  }
}

/** Enlarges the window until the screen is shown without scaling, whatever surrounds it. */
async function fit(page: BrowserPage, { width, height }: BenchScreenSize): Promise<void> {
  const around = await page.evaluate<number>(
    `document.querySelector('header')?.getBoundingClientRect().height ?? 0`,
  );
  await page.emulate({ width, height: height + Math.ceil(around) });
}

const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
const inOrder = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

type Rates = Omit<ScreenFigures, 'p50' | 'p95' | 'key'>;

async function watch(page: BrowserPage, link: SimulatedLink, { shown, seconds }: ScreenCase): Promise<Rates> {
  const browser = childWith('--remote-debugging-pipe');
  const count = () => ({
    time: performance.now() / 1_000,
    bytes: link.bytes(),
    agent: processTreeSeconds(shown.agent),
    between: processTreeSeconds(shown.between),
    browser: processTreeSeconds(browser),
    machine: machineSeconds(),
  });
  await page.evaluate('watched.begin()');
  const before = count();
  await wait(seconds * 1_000);
  const after = count();
  const { ages, exact, videos, enlarged, first, last } = await page.evaluate<WatchedPage>('watched');
  const perSecond = (name: keyof typeof after): number =>
    (after[name] - before[name]) / (after.time - before.time);
  const [agent, between, viewer] = [perSecond('agent'), perSecond('between'), perSecond('browser')];
  return {
    first,
    whole: last,
    shown: ages.length / (after.time - before.time),
    age: at(inOrder(ages), 0.5),
    exact: at(inOrder(exact), 0.5),
    half: (enlarged / videos) * 100,
    kilobytes: perSecond('bytes') / 1_000,
    agent: agent * 100,
    between: between * 100,
    browser: viewer * 100,
    others: (perSecond('machine') - agent - between - viewer) * 100,
  };
}

async function click(page: BrowserPage, { size, clicks }: ScreenCase): Promise<number[]> {
  // Beside the middle, whose colour is read: some desktops have the pointer in the picture.
  const inset = clickBlock.inset - (clickBlock.side * 3) / 4;
  const place = await page.evaluate<{ x: number; y: number }>(`(() => {
    const box = [...document.querySelectorAll('canvas')].find(({ width }) => width > 1000).getBoundingClientRect();
    return { x: box.x + box.width * ${1 - inset / size.width}, y: box.y + box.height * ${1 - inset / size.height} };
  })()`);
  await page.tab.mouse.move(place.x, place.y);
  return timeEffects(page, clicks, async () => {
    await page.tab.mouse.down();
    await page.tab.mouse.up();
  });
}

/** The block takes keys after it was clicked. */
const pressKeys = (page: BrowserPage, { clicks }: ScreenCase): Promise<number[]> =>
  timeEffects(page, clicks, () => page.tab.keyboard.press('a'));

/** Gives the block input again and again, each time after it has shown the effect of the one before; returns the times in order. */
async function timeEffects(
  page: BrowserPage,
  repetitions: number,
  act: () => Promise<void>,
): Promise<number[]> {
  await page.evaluate('watched.begin()');
  for (let number = 1; number <= repetitions; number += 1) {
    // A varying interval, so that input is not synchronised with the content.
    await wait(60 + ((number * 37) % 90));
    await act();
    if (!(await isSeen(page, number))) break;
  }
  return inOrder((await page.evaluate<WatchedPage>('watched')).effects);
}

/** Returns whether so many effects have been shown in time. */
async function isSeen(page: BrowserPage, effects: number): Promise<boolean> {
  for (const limit = performance.now() + effectTimeoutMs; performance.now() < limit; await wait(10))
    if ((await page.evaluate<number>('watched.effects.length')) >= effects) return true;
  return false;
}
