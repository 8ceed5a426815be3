/** What the main thread of a page did meanwhile: its longest task, in time on the clock and in time of the processor. */
import type { BrowserPage } from '../../tests/kit/browser/browser-page.ts';

export interface LongestTask {
  /** Of the processor: what else the machine does is not in it. */
  cpuMs: number;
  /** On the clock. */
  wallMs: number;
  /** What it was busy with for the most part. */
  why: string;
}

export interface TraceSummary {
  longest: LongestTask;
  /** Processor time of all tasks. */
  cpuMs: number;
  /** The process that draws the page. */
  pid: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

const includedCategories = ['disabled-by-default-devtools.timeline', 'devtools.timeline', 'v8'];

/** Writes down what the browser does during the work. One after the other, never two at once. */
export async function traceDuring(page: BrowserPage, work: () => Promise<unknown>): Promise<TraceSummary> {
  const events: TraceEvent[] = [];
  let take = (value: TraceEvent[]): void => void events.push(...value);
  const { promise: complete, resolve } = Promise.withResolvers<void>();
  page.on('Tracing.dataCollected', ({ value }) => take(value as TraceEvent[]));
  page.on('Tracing.tracingComplete', () => resolve());
  const traceConfig = { includedCategories, excludedCategories: ['*'] };
  await page.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  await work();
  await page.send('Tracing.end');
  await complete;
  take = () => {};
  return readTrace(events);
}

const ms = (microseconds = 0): number => microseconds / 1_000;

function readTrace(events: readonly TraceEvent[]): TraceSummary {
  const { pid, tid, tasks } = busiest(events);
  const longest = tasks.toSorted((one, other) => (other.tdur ?? 0) - (one.tdur ?? 0))[0];
  return {
    pid,
    cpuMs: tasks.reduce((sum, { tdur }) => sum + ms(tdur), 0),
    longest: {
      cpuMs: ms(longest?.tdur),
      wallMs: Math.max(0, ...tasks.map(({ dur }) => ms(dur))),
      why: longest ? whyOf(longest, events, tid) : '',
    },
  };
}

/** The main thread that worked most is that of the page: others belong to pages that are kept ready. */
function busiest(events: readonly TraceEvent[]) {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const found = mains.map(({ pid, tid }) => ({
    pid,
    tid,
    tasks: events.filter((event) => event.name === 'RunTask' && event.pid === pid && event.tid === tid),
  }));
  const cost = ({ tasks }: (typeof found)[number]): number =>
    tasks.reduce((sum, { tdur }) => sum + (tdur ?? 0), 0);
  const [most] = found.toSorted((one, other) => cost(other) - cost(one));
  if (!most) throw new Error('The trace names no page.');
  return most;
}

/** The largest parts of a task by their names, each with its milliseconds of the processor. */
function whyOf(task: TraceEvent, events: readonly TraceEvent[], tid: number): string {
  const end = task.ts + (task.dur ?? 0);
  const sums = new Map<string, number>();
  for (const { name, pid, tid: thread, ts, dur, tdur } of events) {
    if (name === 'RunTask' || pid !== task.pid || thread !== tid || dur === undefined) continue;
    if (ts >= task.ts && ts < end) sums.set(name, (sums.get(name) ?? 0) + ms(tdur));
  }
  return [...sums]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 4)
    .map(([name, cost]) => `${name} ${cost.toFixed(0)}`)
    .join(', ');
}
