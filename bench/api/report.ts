/** The tables of the benchmark: costs with their ratio to the baseline, and each goal with its result. */
import { formatNumber, toTextTable } from '../kit/table.ts';
import { writeAim } from '../writes/measure.ts';
import { besideLists } from './beside-lists.ts';
import type { Measurement } from './measure.ts';

/** The lists with the CPU milliseconds that each may cost. */
const listAims = [
  ['agents/list of 1,000', 1.5],
  ['agents/list of 1,000, rebuilt', 4],
  ['agents/list of 1,000, gzip', 0.4],
  ['agents/list of 1,000, 304', 0.15],
  ['agents/list of 10,000', 12],
  ['agents/list of 10,000, rebuilt', 30],
  ['agents/list of 10,000, gzip', 1.5],
  ['agents/list of 10,000, 304', 0.15],
] as const;

export interface ApiResults {
  measured: readonly Measurement[];
  starts: { first: number; next: number };
  idle: { mb: number; cpuMs: number };
  restSeconds: number;
  pauses: readonly { name: string; longestMs: number }[];
  /** Milliseconds of small reads beside lists and changes, at the 99th percentile. */
  besideP99Ms: number;
  /** Durable writes a second, and those of the bare loop. */
  writes: { ours: number; bare: number };
}

const find = (all: readonly Measurement[], operation: string, name: string, tls: boolean) =>
  all.find(({ each, by }) => each.name === operation && by.name === name && by.tls === tls);

const ratioOf = (all: readonly Measurement[], operation: string, tls: boolean): number | undefined => {
  const [ours, limit] = [find(all, operation, 'ours', tls), find(all, operation, 'limit', tls)];
  return ours && limit && ours.cpu / limit.cpu;
};

/** Ratios come first, because they are comparable between machines. */
export function costTable(all: readonly Measurement[]): string {
  const rows = all
    .filter(({ by }) => by.name === 'ours')
    .map(({ each, by, cpu, coldCpu, perSecond, p99Ms, failures }) => {
      const limit = find(all, each.name, 'limit', by.tls);
      const ratio = ratioOf(all, each.name, by.tls);
      return [
        `${each.name}${by.tls ? '' : ', without TLS'}`,
        ratio === undefined ? '–' : `${ratio.toFixed(2)} ×`,
        formatNumber(cpu * 1e6),
        limit ? formatNumber(limit.cpu * 1e6) : '–',
        formatNumber(coldCpu * 1e6),
        limit ? formatNumber(limit.coldCpu * 1e6) : '–',
        formatNumber(perSecond),
        limit ? formatNumber(limit.perSecond) : '–',
        formatNumber(p99Ms),
        String(failures),
      ];
    });
  const costs = ['CPU, ours / limit', 'ours µs', 'limit µs', 'cold, ours µs', 'cold, limit µs'];
  return toTextTable(['', ...costs, 'ours /s', 'limit /s', 'p99 ms', 'failed'], rows);
}

/** The longest pause of the event loop in each case. */
export const pauseTable = (pauses: ApiResults['pauses']): string =>
  toTextTable(
    ['', 'longest pause, ms'],
    pauses.map(({ name, longestMs }) => [name, formatNumber(longestMs)]),
  );

/** Each goal, the result, and whether it is met. */
export function apiGoals(results: ApiResults): string {
  const { measured, starts, idle, restSeconds, pauses, besideP99Ms, writes } = results;
  const cpuMs = (operation: string): number => find(measured, operation, 'ours', true)!.cpu * 1e3;
  const ratio = (operation: string): number => ratioOf(measured, operation, true)!;
  const pause = (operation: string): number => pauses.find(({ name }) => name === operation)!.longestMs;
  const writeRatio = writes.ours / writes.bare;
  const most = (what: string, aim: number, reached: number, unit: string): string[] => [
    what,
    `≤ ${aim} ${unit}`,
    `${formatNumber(reached)} ${unit}`,
    reached <= aim ? 'yes' : 'NO',
  ];
  const rows = [
    most('agents/info, CPU beside the limit', 1.5, ratio('agents/info'), '×'),
    most('groups/list, CPU beside the limit', 1.5, ratio('groups/list'), '×'),
    ...listAims.map(([name, aim]) => most(`${name}, CPU`, aim, cpuMs(name), 'ms')),
    ...listAims.map(([name]) => most(`${name}, longest pause`, 20, pause(name), 'ms')),
    most(`${besideLists}, p99`, 10, besideP99Ms, 'ms'),
    [
      'durable writes from 64 clients, beside the bare loop',
      `≥ ${writeAim} ×`,
      `${writeRatio.toFixed(2)} × (${formatNumber(writes.ours)} /s)`,
      writeRatio >= writeAim ? 'yes' : 'NO',
    ],
    most('start with data, until ready', 650, starts.next, 'ms'),
    most('first start of all, until ready', 1_000, starts.first, 'ms'),
    most(`memory after ${restSeconds} s at rest`, 120, idle.mb, 'MB'),
  ];
  return toTextTable(['', 'aim', 'reached', ''], rows);
}
