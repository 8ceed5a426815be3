/** The aims of the screen, by what is shown, and what a run reached. */
import { aimsTable, type Aim } from '../kit/aims.ts';
import type { ScreenFigures } from './measure.ts';
import { caseOf, type ScreenResult } from './report.ts';

interface ScreenAim extends Pick<Aim, 'is' | 'aim' | 'unit'> {
  /** The size, the content and the connection. */
  of: string;
  figure: keyof ScreenFigures;
}

const screenAims: readonly ScreenAim[] = [
  { of: '1080 motion, local', figure: 'shown', is: 'at least', aim: 25, unit: 'pictures/s' },
  { of: '1080 motion, local', figure: 'p50', is: 'at most', aim: 100, unit: 'ms' },
  { of: '1080 motion, local', figure: 'kilobytes', is: 'at most', aim: 700, unit: 'kB/s' },
  { of: '1080 motion, slow', figure: 'shown', is: 'at least', aim: 25, unit: 'pictures/s' },
  { of: '1080 motion, slow', figure: 'p50', is: 'at most', aim: 150, unit: 'ms' },
  { of: '1080 scroll, local', figure: 'p50', is: 'at most', aim: 45, unit: 'ms' },
  { of: '1080 type, local', figure: 'p50', is: 'at most', aim: 15, unit: 'ms' },
  { of: '1080 type, local', figure: 'key', is: 'at most', aim: 60, unit: 'ms from a key' },
  { of: '1080 pauses, local', figure: 'exact', is: 'at most', aim: 150, unit: 'ms until exact' },
  { of: '1080 still, local', figure: 'whole', is: 'at most', aim: 850, unit: 'ms until whole' },
  { of: '2160 motion, local', figure: 'shown', is: 'at least', aim: 15, unit: 'pictures/s' },
];

const isOurs = ({ peer }: ScreenResult): boolean => peer.startsWith('ours');

function absoluteAims(ours: ScreenResult): Aim[] {
  const own = screenAims.filter(({ of }) => of === caseOf(ours));
  return own.map(({ figure, ...aim }) => ({
    ...aim,
    what: `${caseOf(ours)}: ${ours.peer}`,
    reached: ours.figures[figure],
  }));
}

/** Full motion, beside the best of the other servers in the same run. */
function aimsBesidePeers(ours: ScreenResult, all: readonly ScreenResult[]): Aim[] {
  const peers = all.filter((each) => !isOurs(each) && caseOf(each) === caseOf(ours));
  if (caseOf(ours) !== '1080 motion, local' || peers.length === 0) return [];
  const what = `${caseOf(ours)}: ${ours.peer}, beside the best other server`;
  const shown = ours.figures.shown / Math.max(...peers.map(({ figures }) => figures.shown));
  const latency = ours.figures.p50 / Math.min(...peers.map(({ figures }) => figures.p50));
  return [
    { what, is: 'at least', aim: 2, reached: shown, unit: '× the pictures' },
    { what, is: 'at most', aim: 0.5, reached: latency, unit: '× the latency' },
  ];
}

export const screenAimsTable = (all: readonly ScreenResult[]): string =>
  aimsTable(all.filter(isOurs).flatMap((ours) => [...absoluteAims(ours), ...aimsBesidePeers(ours, all)]));
