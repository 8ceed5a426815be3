/** Prints aims, what a run reached, and whether that is enough. */
import { formatNumber, toTextTable } from './table.ts';

export interface Aim {
  what: string;
  is: 'at least' | 'at most';
  aim: number;
  /** NaN if it was not measured in this run: then the row is left out. */
  reached: number;
  unit: string;
}

const signs = { 'at least': '≥', 'at most': '≤' } as const;

const isReached = ({ is, aim, reached }: Aim): boolean =>
  is === 'at least' ? reached >= aim : reached <= aim;

/** Empty if nothing that has an aim was measured. */
export function aimsTable(aims: readonly Aim[]): string {
  const measured = aims.filter(({ reached }) => !Number.isNaN(reached));
  if (measured.length === 0) return '';
  const rows = measured.map((each) => [
    each.what,
    `${signs[each.is]} ${each.aim} ${each.unit}`,
    `${formatNumber(each.reached)} ${each.unit}`,
    isReached(each) ? 'yes' : 'NO',
  ]);
  return toTextTable(['', 'aim', 'this run', 'reached'], rows);
}
