/** Which of many rows of one height are in sight. */

/** Drawn beyond the edges, so that quick scrolling shows no holes. */
const beyondPx = 600;

interface Window {
  count: number;
  rowHeight: number;
  /** How much of the rows lies above the window; negative where they begin below its upper edge. */
  above: number;
  height: number;
}

/** From the first row to before the last; none where all of them are far away. */
export function rowsInSight({ count, rowHeight, above, height }: Window): { first: number; last: number } {
  const within = (row: number): number => Math.min(count, Math.max(0, row));
  return {
    first: within(Math.floor((above - beyondPx) / rowHeight)),
    last: within(Math.ceil((above + height + beyondPx) / rowHeight)),
  };
}

/** A row by its number, or the place of rows that are not drawn. */
type Part = { at: number } | { gap: 'above' | 'between' | 'below'; rows: number };

interface Drawn {
  first: number;
  last: number;
  count: number;
  /** A row that is drawn wherever it stands; -1 for none. */
  held: number;
}

/** What stands below each other: the rows in sight, the one that is held, and the place of all the others. */
export function drawnParts({ first, last, count, held }: Drawn): Part[] {
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, index): Part => ({ at: first + index }));
  if (held >= 0 && held < first)
    return [
      { gap: 'above', rows: held },
      { at: held },
      { gap: 'between', rows: first - held - 1 },
      ...rows,
      { gap: 'below', rows: count - last },
    ];
  if (held >= last)
    return [
      { gap: 'above', rows: first },
      ...rows,
      { gap: 'between', rows: held - last },
      { at: held },
      { gap: 'below', rows: count - held - 1 },
    ];
  return [{ gap: 'above', rows: first }, ...rows, { gap: 'below', rows: count - last }];
}
