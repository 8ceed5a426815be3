/** Measures one list in its own browser: cold and warm load, search, scrolling, tiles, and changes. */
import { openBrowser } from '../../tests/kit/browser/browser.ts';
import type { BrowserPage } from '../../tests/kit/browser/browser-page.ts';
import { residentMegabytes } from '../kit/process.ts';
import type { MeasuredList } from './lists.ts';
import { traceDuring, type LongestTask, type TraceSummary } from './trace.ts';

interface PageLoad {
  paintMs: number;
  shownMs: number;
  /** Transferred bytes of script and style. */
  bytes: { script: number; style: number };
}

export const phases = ['cold', 'warm', 'search', 'scroll', 'tiles', 'changes'] as const;
export type ListPhase = (typeof phases)[number];

interface MainThreadLoad {
  longest: LongestTask;
  /** CPU time of the main thread, total of all tasks. */
  cpuMs: number;
  /** Long tasks as the page sees them: over 50 ms of wall-clock time. */
  longTasks: number;
}

export interface ListMeasurement {
  loads: Record<'cold' | 'warm', PageLoad>;
  busy: Partial<Record<ListPhase, MainThreadLoad>>;
  memory: { heapMb: number; residentMb: number; elements: number };
}

/** Runs before the page's own scripts. Records long tasks, and the end of the frame that contains the list. */
const watch = ({ isShown }: MeasuredList): string => `
  globalThis.longTasks = 0;
  new PerformanceObserver((list) => (longTasks += list.getEntries().length)).observe({ type: 'longtask' });
  const look = () => {
    try { if (${isShown}) return void setTimeout(() => (globalThis.shownMs = performance.now())); } catch {}
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);`;

const loaded = `(() => {
  const sum = (kind) => performance.getEntriesByType('resource')
    .filter(({ name }) => new URL(name).pathname.endsWith(kind))
    .reduce((bytes, { transferSize }) => bytes + transferSize, 0);
  return {
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    shownMs,
    bytes: { script: sum('.js'), style: sum('.css') },
  };
})()`;

/** Scrolls once per frame, in steps of a fast wheel, and waits at the end until the last rows are drawn. */
const scroll = `(async () => {
  const steps = 300;
  const end = document.documentElement.scrollHeight - innerHeight;
  for (let step = 1; step <= steps; step += 1) {
    scrollTo(0, (end * step) / steps);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
})()`;

const letters = 'place 99';

async function typeSearch(page: BrowserPage): Promise<void> {
  await page.evaluate(`document.querySelector('input[type=search]').focus()`);
  for (const text of letters) {
    await page.write(text);
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
  }
}

/** Waits for pending work, so that it does not count towards the next measurement. */
const waitForIdle = `new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve), 300))`;

async function busyWith(
  page: BrowserPage,
  work: () => Promise<unknown>,
): Promise<MainThreadLoad & { pid: number }> {
  const before = await page.evaluate<number>('globalThis.longTasks ?? 0');
  const { longest, cpuMs, pid }: TraceSummary = await traceDuring(page, async () => {
    await work();
    await page.evaluate(waitForIdle);
  });
  const after = await page.evaluate<number>('longTasks');
  return { longest, cpuMs, pid, longTasks: after < before ? after : after - before };
}

async function load(page: BrowserPage, list: MeasuredList) {
  await page.goto('about:blank');
  const busy = await busyWith(page, async () => {
    await page.goto(list.url);
    await page.until('globalThis.shownMs');
  });
  return { busy, load: await page.evaluate<PageLoad>(loaded) };
}

async function memoryOf(page: BrowserPage, pid: number): Promise<ListMeasurement['memory']> {
  await page.devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await page.devtools.send('Runtime.getHeapUsage');
  const elements = await page.evaluate<number>(`document.querySelectorAll('*').length`);
  return { heapMb: usedSize / 2 ** 20, residentMb: residentMegabytes(pid), elements };
}

const clear = `(() => {
  const field = document.querySelector('input[type=search]');
  field.value = '';
  field.dispatchEvent(new Event('input', { bubbles: true }));
})()`;

interface MeasureOptions {
  list: MeasuredList;
  enter: (page: BrowserPage) => Promise<void>;
  /** The devices that are set offline. */
  ids: readonly number[];
}

export async function measureList({ list, enter, ids }: MeasureOptions): Promise<ListMeasurement> {
  await using browser = await openBrowser({ wholeBrowser: true });
  const page = await browser.page();
  await page.emulate({ width: 1_280, height: 800 });
  await enter(page);
  await page.tab.evaluateOnNewDocument(watch(list));
  const [cold, warm] = [await load(page, list), await load(page, list)];
  const memory = await memoryOf(page, warm.busy.pid);
  const search = await busyWith(page, () => typeSearch(page));
  await page.evaluate(clear);
  await page.evaluate(waitForIdle);
  const scrolled = await busyWith(page, async () => {
    await page.evaluate(scroll);
    await page.until(list.isAtEnd);
  });
  await page.evaluate('scrollTo(0, 0)');
  await page.evaluate(waitForIdle);
  const changes = await busyWith(page, () => list.putOff(page, ids));
  const tiles = await showTiles(page, list);
  const busy = { cold: cold.busy, warm: warm.busy, search, scroll: scrolled, changes, ...tiles };
  if (page.errors.length > 0) throw new Error(`The page complained: ${page.errors.join('\n')}`);
  return { loads: { cold: cold.load, warm: warm.load }, busy, memory };
}

async function showTiles(page: BrowserPage, { tiles }: MeasuredList): Promise<{ tiles?: MainThreadLoad }> {
  if (!tiles) return {};
  const busy = await busyWith(page, async () => {
    await page.evaluate(tiles.press);
    await page.until(tiles.isShown);
  });
  await page.evaluate(tiles.back);
  return { tiles: busy };
}
