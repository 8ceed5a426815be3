/** Calculates which rows of a long list are visible. All rows have the same height. */

/** Rows this far outside the viewport are rendered too, so that fast scrolling shows no gaps. */
export const overscanPx = 600;
/** Further rows are rendered when fewer than these are left, because a few rows at a time cost nearly as much as many. */
export const minOverscanPx = 250;

interface ScrollWindow {
  count: number;
  rowHeight: number;
  /** The height of the rows above the viewport; negative if the rows begin below its upper edge. */
  above: number;
  height: number;
  /** How far outside the viewport rows are rendered. */
  overscan: number;
}

export interface RowRange {
  first: number;
  /** The row after the last. */
  last: number;
}

/** Returns an empty range if no row is near the viewport. */
export function visibleRows({ count, rowHeight, above, height, overscan }: ScrollWindow): RowRange {
  const within = (row: number): number => Math.min(count, Math.max(0, row));
  return {
    first: within(Math.floor((above - overscan) / rowHeight)),
    last: within(Math.ceil((above + height + overscan) / rowHeight)),
  };
}

/** A row by its index, or a gap in place of rows that are not rendered. */
type RowOrGap = { at: number } | { gap: 'above' | 'between' | 'below'; rows: number };

interface RenderedRange extends RowRange {
  count: number;
  /** The index of the row that is rendered wherever it is; -1 for none. */
  focused: number;
}

/** The visible rows and the focused row in order, with gaps for all others. */
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
