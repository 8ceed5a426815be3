/** Which of many rows of one height are in sight. */

/** Drawn beyond the edges, so that quick scrolling shows no holes. */
const overscanPx = 600;

interface ScrollWindow {
  count: number;
  rowHeight: number;
  /** How much of the rows lies above the window; negative where they begin below its upper edge. */
  above: number;
  height: number;
}

/** From the first row to before the last; none where all of them are far away. */
export function visibleRows({ count, rowHeight, above, height }: ScrollWindow): {
  first: number;
  last: number;
} {
  const within = (row: number): number => Math.min(count, Math.max(0, row));
  return {
    first: within(Math.floor((above - overscanPx) / rowHeight)),
    last: within(Math.ceil((above + height + overscanPx) / rowHeight)),
  };
}

/** A row by its number, or the place of rows that are not drawn. */
type RowOrGap = { at: number } | { gap: 'above' | 'between' | 'below'; rows: number };

interface RenderedRange {
  first: number;
  last: number;
  count: number;
  /** A row that is drawn wherever it stands; -1 for none. */
  focused: number;
}

/** What stands below each other: the rows in sight, the one that is held, and the place of all the others. */
export function toRowsAndGaps({ first, last, count, focused }: RenderedRange): RowOrGap[] {
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, index): RowOrGap => ({
    at: first + index,
  }));
  if (focused >= 0 && focused < first)
    return [
      { gap: 'above', rows: focused },
      { at: focused },
      { gap: 'between', rows: first - focused - 1 },
      ...rows,
      { gap: 'below', rows: count - last },
    ];
  if (focused >= last)
    return [
      { gap: 'above', rows: first },
      ...rows,
      { gap: 'between', rows: focused - last },
      { at: focused },
      { gap: 'below', rows: count - focused - 1 },
    ];
  return [{ gap: 'above', rows: first }, ...rows, { gap: 'below', rows: count - last }];
}
