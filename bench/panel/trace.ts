/** Traces the main thread of a page: its longest task in wall-clock time and in CPU time. */
import type { BrowserPage } from '../../tests/kit/browser/browser-page.ts';

export interface LongestTask {
  /** CPU time, which excludes other work of the machine. */
  cpuMs: number;
  /** Wall-clock time. */
  wallMs: number;
  /** The largest parts of the task. */
  why: string;
}

export interface TraceSummary {
  longest: LongestTask;
  /** CPU time of all tasks. */
  cpuMs: number;
  /** The renderer process of the page. */
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

/** Records a browser trace during the work. Only one trace can run at a time. */
export async function traceDuring(page: BrowserPage, work: () => Promise<unknown>): Promise<TraceSummary> {
  const events: TraceEvent[] = [];
  let take = (value: TraceEvent[]): void => void events.push(...value);
  const { promise: complete, resolve } = Promise.withResolvers<void>();
  page.devtools.on('Tracing.dataCollected', ({ value }) => take(value as TraceEvent[]));
  page.devtools.on('Tracing.tracingComplete', () => resolve());
  const traceConfig = { includedCategories, excludedCategories: ['*'] };
  await page.devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  await work();
  await page.devtools.send('Tracing.end');
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

/** The busiest main thread is that of the page; the others belong to pages that the browser preloads. */
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

/** The largest parts of a task by name, each with its CPU milliseconds. */
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
