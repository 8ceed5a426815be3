/** The tables of the panel benchmark: our list and the baseline, and each goal with its result. */
import { formatNumber, toTextTable } from '../kit/table.ts';
import { phases, type ListMeasurement, type ListPhase } from './measure.ts';
import type { LongestTask } from './trace.ts';

/** Keyed by number of devices and list. */
export interface ListResult {
  devices: number;
  name: 'ours' | 'bare';
  rounds: readonly ListMeasurement[];
}

/** Noise only adds, so the minimum of several rounds counts. */
function best(rounds: readonly ListMeasurement[]): ListMeasurement {
  const least = (of: (round: ListMeasurement) => number): number => Math.min(...rounds.map(of));
  const load = (kind: 'cold' | 'warm') => ({
    paintMs: least(({ loads }) => loads[kind].paintMs),
    shownMs: least(({ loads }) => loads[kind].shownMs),
    bytes: rounds[0]!.loads[kind].bytes,
  });
  const calmest = (phase: ListPhase) =>
    rounds
      .flatMap(({ busy }) => busy[phase] ?? [])
      .toSorted((one, other) => one.longest.cpuMs - other.longest.cpuMs)[0];
  return {
    loads: { cold: load('cold'), warm: load('warm') },
    busy: Object.fromEntries(phases.flatMap((phase) => (calmest(phase) ? [[phase, calmest(phase)!]] : []))),
    memory: {
      heapMb: least(({ memory }) => memory.heapMb),
      residentMb: least(({ memory }) => memory.residentMb),
      elements: least(({ memory }) => memory.elements),
    },
  };
}

type Row = [title: string, of: (measured: ListMeasurement) => number | undefined];

const titles: Record<ListPhase, string> = {
  cold: 'loading, cold',
  warm: 'loading, warm',
  search: 'typing 8 letters',
  scroll: 'scrolling to the end',
  tiles: 'switching to tiles',
  changes: 'up to 1,000 devices go off line',
};

const rows: Row[] = [
  ['Script, kB as it came', ({ loads }) => loads.cold.bytes.script / 1_000],
  ['Style, kB as it came', ({ loads }) => loads.cold.bytes.style / 1_000],
  ['First paint, cold, ms', ({ loads }) => loads.cold.paintMs],
  ['First paint, warm, ms', ({ loads }) => loads.warm.paintMs],
  ['List shown, cold, ms', ({ loads }) => loads.cold.shownMs],
  ['List shown, warm, ms', ({ loads }) => loads.warm.shownMs],
  ...phases.map((phase): Row => [
    `Longest task while ${titles[phase]}, CPU ms`,
    ({ busy }) => busy[phase]?.longest.cpuMs,
  ]),
  ...phases.map((phase): Row => [
    `The same on the clock: ${titles[phase]}, ms`,
    ({ busy }) => busy[phase]?.longest.wallMs,
  ]),
  ...phases.map((phase): Row => [`Long tasks: ${titles[phase]}`, ({ busy }) => busy[phase]?.longTasks]),
  ...phases.map((phase): Row => [
    `Main thread in all: ${titles[phase]}, CPU ms`,
    ({ busy }) => busy[phase]?.cpuMs,
  ]),
  ['Script heap, MB', ({ memory }) => memory.heapMb],
  ['Memory of the page, MB resident', ({ memory }) => memory.residentMb],
  ['Elements', ({ memory }) => memory.elements],
];

const figure = (value: number | undefined): string =>
  value === undefined ? '–' : value === 0 ? '0' : formatNumber(value);

function ratio(one: number | undefined, other: number | undefined): string {
  return one === undefined || other === undefined || other === 0 ? '–' : `${(one / other).toPrecision(2)} ×`;
}

/** For each number of devices: our list, the baseline, and their ratio. */
export function compareLists(results: readonly ListResult[]): string {
  const sizes = [...new Set(results.map(({ devices }) => devices))];
  const found = (devices: number, name: ListResult['name']): ListMeasurement =>
    best(results.find((each) => each.devices === devices && each.name === name)!.rounds);
  const head = ['', ...sizes.flatMap((size) => [`Ours, ${size.toLocaleString('en')}`, 'Bare', 'Ratio'])];
  return toTextTable(
    head,
    rows.map(([title, of]) => [
      title,
      ...sizes.flatMap((size) => {
        const [ours, bare] = [of(found(size, 'ours')), of(found(size, 'bare'))];
        return [figure(ours), figure(bare), ratio(ours, bare)];
      }),
    ]),
  );
}

const mostScript = 200_000;
const mostMs = 100;
/** From the first paint of a cold load until the list is shown. */
const mostShownMs = 400;
/** CPU time of scrolling, of the bare list with a tenth of the devices. */
const mostScroll = 1.5;
const calm = ['cold', 'warm', 'search', 'scroll'] as const;

/** Goals for the larger list. A goal is met if it was met in every round. */
export function panelGoals(results: readonly ListResult[]): string {
  const { rounds } = results.findLast(({ name }) => name === 'ours')!;
  const { script } = rounds[0]!.loads.cold.bytes;
  const worst = (phase: ListPhase): LongestTask =>
    rounds.map(({ busy }) => busy[phase]!.longest).toSorted((one, other) => other.cpuMs - one.cpuMs)[0]!;
  const shownMs = Math.max(...rounds.map(({ loads }) => loads.cold.shownMs - loads.cold.paintMs));
  const bare = results.find(({ name }) => name === 'bare')!;
  const [scroll, bareScroll] = [rounds, bare.rounds].map((each) =>
    Math.max(...each.map(({ busy }) => busy.scroll!.cpuMs)),
  ) as [number, number];
  const lines = [
    ['List shown within 400 ms of the first paint', formatNumber(shownMs), shownMs <= mostShownMs],
    [
      'Scrolling within 1.5 × of a short bare list',
      formatNumber(scroll / bareScroll),
      scroll <= mostScroll * bareScroll,
    ],
    ['Script of the first load under 200 kB', formatNumber(script / 1_000), script < mostScript],
    ...calm.map((phase) => {
      const { cpuMs, why } = worst(phase);
      return [
        `No task over 100 ms while ${titles[phase]}`,
        `${formatNumber(cpuMs)} (${why})`,
        cpuMs <= mostMs,
      ];
    }),
  ];
  return lines
    .map(([aim, reached, isReached]) => `${aim}: ${reached}, ${isReached ? 'yes' : 'no'}`)
    .join('\n');
}
