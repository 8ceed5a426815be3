/** One measurement: a viewer looks at a peer that shows the content, first only watching, then clicking. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from '../../tests/kit/browser/browser.ts';
import type { BrowserPage } from '../../tests/kit/browser/browser-page.ts';
import type { SimulatedLink, LinkSpeed } from './link.ts';
import { clickBlock, type BenchScreenSize } from './marks.ts';
import type { StartedPeer } from './started-peer.ts';
import { childWith, processTreeSeconds, machineSeconds } from './processes.ts';
import { watchScript, type WatchedPage } from './watch.ts';

export interface ScreenFigures {
  /** Milliseconds until the first picture is drawn, and until the last part of it is where nothing moves. */
  first: number;
  whole: number;
  /** Pictures shown a second. */
  shown: number;
  /** Milliseconds from a click to its effect; the middle one, and that of the slowest of twenty. */
  p50: number;
  p95: number;
  clicks: number;
  /** Age of pictures when they are shown, in milliseconds; the middle one. */
  age: number;
  kilobytes: number;
  /** Of one core, in percent. */
  agent: number;
  between: number;
  browser: number;
  /** What everything else on the machine took meanwhile, in percent of one core. */
  others: number;
}

export interface ScreenCase {
  shown: StartedPeer;
  size: BenchScreenSize;
  speed: LinkSpeed;
  seconds: number;
  /** How often to click; none where only peace is measured. */
  clicks: number;
}

const warmMs = 2_000;
/** A click whose effect is not seen by then counts as lost. */
const clickTimeoutMs = 4_000;

export async function measureScreen(
  browser: Browser,
  link: SimulatedLink,
  cell: ScreenCase,
): Promise<ScreenFigures> {
  const { shown, size, speed } = cell;
  link.lead(shown.port, speed);
  const page = await browser.page();
  try {
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: watchScript });
    await page.emulate(size);
    await page.goto(shown.url);
    await shown.connect(page);
    await fit(page, size);
    await wait(warmMs);
    const rates = await watch(page, link, cell);
    const times = cell.clicks > 0 ? await click(page, cell) : [];
    await shown.leave(page);
    return { ...rates, p50: at(times, 0.5), p95: at(times, 0.95), clicks: times.length };
  } catch (error) {
    const text = await page.evaluate<string>('document.body.innerText');
    throw new Error(`the page says: ${text}`, { cause: error });
  } finally {
    await page.send('Page.close');
  }
}

/** Makes the window so large that the picture is shown pixel by pixel, whatever stands around it. */
async function fit(page: BrowserPage, { width, height }: BenchScreenSize): Promise<void> {
  const around = await page.evaluate<number>(
    `document.querySelector('header')?.getBoundingClientRect().height ?? 0`,
  );
  await page.emulate({ width, height: height + Math.ceil(around) });
}

const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
const inOrder = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

type Rates = Omit<ScreenFigures, 'p50' | 'p95' | 'clicks'>;

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
  const { ages, first, last } = await page.evaluate<WatchedPage>('watched');
  const perSecond = (name: keyof typeof after): number =>
    (after[name] - before[name]) / (after.time - before.time);
  const [agent, between, viewer] = [perSecond('agent'), perSecond('between'), perSecond('browser')];
  return {
    first,
    whole: last,
    shown: ages.length / (after.time - before.time),
    age: at(inOrder(ages), 0.5),
    kilobytes: perSecond('bytes') / 1_000,
    agent: agent * 100,
    between: between * 100,
    browser: viewer * 100,
    others: (perSecond('machine') - agent - between - viewer) * 100,
  };
}

async function click(page: BrowserPage, { size, clicks }: ScreenCase): Promise<number[]> {
  const inset = clickBlock.inset - clickBlock.side / 2;
  const place = await page.evaluate<{ x: number; y: number }>(`(() => {
    const box = [...document.querySelectorAll('canvas')].find(({ width }) => width > 1000).getBoundingClientRect();
    return { x: box.x + box.width * ${1 - inset / size.width}, y: box.y + box.height * ${1 - inset / size.height} };
  })()`);
  const mouse = (type: string, more: object = {}): Promise<unknown> =>
    page.send('Input.dispatchMouseEvent', { type, ...place, ...more });
  await mouse('mouseMoved');
  await page.evaluate('watched.begin()');
  for (let number = 1; number <= clicks; number += 1) {
    // Never in step with the content.
    await wait(60 + ((number * 37) % 90));
    await mouse('mousePressed', { button: 'left', clickCount: 1 });
    await mouse('mouseReleased', { button: 'left', clickCount: 1 });
    await waitForClicks(page, number);
  }
  return inOrder((await page.evaluate<WatchedPage>('watched')).clicks);
}

async function waitForClicks(page: BrowserPage, clicks: number): Promise<void> {
  for (const limit = performance.now() + clickTimeoutMs; performance.now() < limit; await wait(10))
    if ((await page.evaluate<number>('watched.clicks.length')) >= clicks) return;
}
