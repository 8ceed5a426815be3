/** Lets the rows after a jump reuse the elements of the rows before it, because to change elements costs less than to create them. */

export type RowKey = string | number;

/**
 * Assigns a number to each row, which identifies its elements. A row keeps its number while it is rendered. The others get
 * new ones; if most rows are new, they take those that have become free. (For a few rows, to move elements costs more.)
 * The elements of the focused row are never reused, because the focus and an open menu would move to another row.
 */
export function assignSlots(
  before: ReadonlyMap<RowKey, number>,
  rows: readonly RowKey[],
  focused?: RowKey,
): Map<RowKey, number> {
  const staying = new Set(rows.filter((row) => before.has(row)));
  const free = [...before].flatMap(([row, slot]) => (staying.has(row) || row === focused ? [] : slot));
  const reused = staying.size < rows.length / 2 ? free.values() : [].values();
  let unused = Math.max(-1, ...before.values()) + 1;
  return new Map(rows.map((row) => [row, before.get(row) ?? reused.next().value ?? unused++]));
}
