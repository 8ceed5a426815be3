/** Prints the results: a table of figures, and how each peer compares with ours. */
import { toTextTable } from '../kit/table.ts';
import type { ScreenFigures } from './measure.ts';

export interface ScreenResult {
  size: string;
  content: string;
  link: string;
  peer: string;
  figures: ScreenFigures;
}

const whole = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(value < 10 ? 1 : 0));

export const caseOf = ({ size, content, link }: ScreenResult): string => `${size} ${content}, ${link}`;

/** Of several rounds, the one with the least other load on the machine. */
export const leastDisturbed = (all: readonly ScreenResult[]): ScreenResult[] =>
  Object.values(Object.groupBy(all, (each) => `${caseOf(each)} ${each.peer}`)).map((same) =>
    same!.reduce((best, each) => (each.figures.others < best.figures.others ? each : best)),
  );

const head = [
  '',
  'shown/s',
  'p50 ms',
  'p95 ms',
  'key ms',
  'age ms',
  'exact ms',
  'half %',
  'kB/s',
  'agent %',
  'between %',
  'browser %',
  'others %',
];

const cells = ({ figures }: ScreenResult): string[] =>
  [
    figures.shown,
    figures.p50,
    figures.p95,
    figures.key,
    figures.age,
    figures.exact,
    figures.half,
    figures.kilobytes,
    figures.agent,
    figures.between,
    figures.browser,
    figures.others,
  ].map(whole);

export const figuresTable = (all: readonly ScreenResult[]): string =>
  toTextTable(
    head,
    all.map((each) => [`${caseOf(each)}: ${each.peer}`, ...cells(each)]),
  );

/** How long the page takes to show a still screen. */
export const openingTable = (all: readonly ScreenResult[]): string =>
  toTextTable(
    ['opening', 'first picture ms', 'whole picture ms'],
    all
      .filter(({ content }) => content === 'still')
      .map((each) => [`${caseOf(each)}: ${each.peer}`, whole(each.figures.first), whole(each.figures.whole)]),
  );

const ratio = (value: number): string => (Number.isFinite(value) ? `${value.toFixed(2)} ×` : '–');

const pairs = (all: readonly ScreenResult[]): [ScreenResult, ScreenResult][] =>
  all
    .filter(({ peer }) => peer !== 'ours')
    .flatMap((peer) => {
      const ours = all.find((each) => each.peer === 'ours' && caseOf(each) === caseOf(peer));
      return ours ? [[ours, peer] as [ScreenResult, ScreenResult]] : [];
    });

/** In every column, a value above 1 means that ours is better. */
export const ratiosTable = (all: readonly ScreenResult[]): string =>
  toTextTable(
    ['ours against', 'more shown', 'faster p50', 'faster p95', 'fewer bytes', 'less browser CPU'],
    pairs(all).map(([{ figures: ours }, peer]) => [
      `${caseOf(peer)}: ${peer.peer}`,
      ratio(ours.shown / peer.figures.shown),
      ratio(peer.figures.p50 / ours.p50),
      ratio(peer.figures.p95 / ours.p95),
      ratio(peer.figures.kilobytes / ours.kilobytes),
      ratio(peer.figures.browser / ours.browser),
    ]),
  );
