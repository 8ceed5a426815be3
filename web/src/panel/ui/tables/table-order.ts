/** Sorts the rows of a table by one of its columns, and finds which columns are shown. */
import type { Column } from './column.ts';

export interface TableSort {
  /** The id of a column. */
  column: string;
  descending: boolean;
}

/** What a person chose for a table. */
export interface TablePreferences {
  /** Undefined for the order that the table has by itself. */
  sort?: TableSort | undefined;
  /** The ids of the chosen columns; undefined for the default ones. */
  columns?: readonly string[] | undefined;
  dense?: boolean | undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toSort(value: unknown): TableSort | undefined {
  if (!isRecord(value) || typeof value['column'] !== 'string') return undefined;
  return { column: value['column'], descending: value['descending'] === true };
}

/** Parses stored preferences; what is not valid is ignored. */
export function readPreferences(stored: string | null): TablePreferences {
  let value: unknown;
  try {
    value = JSON.parse(stored ?? '{}');
  } catch {
    return {};
  }
  if (!isRecord(value)) return {};
  const { sort, columns, dense } = value;
  const ids = Array.isArray(columns) ? columns.filter((id) => typeof id === 'string') : undefined;
  return { sort: toSort(sort), columns: ids, dense: dense === true };
}

/** A heading sorts upwards first, then downwards, and then returns to the table's own order. */
export function nextSort(current: TableSort | undefined, column: string): TableSort | undefined {
  if (current?.column !== column) return { column, descending: false };
  return current.descending ? undefined : { column, descending: true };
}

const isChosen = ({ id, choice }: Column<never>, chosen: readonly string[] | undefined): boolean =>
  choice === undefined || (chosen ? chosen.includes(id ?? '') : choice === 'shown');

export const shownColumns = <Row>(
  columns: readonly Column<Row>[],
  { columns: chosen }: TablePreferences,
): Column<Row>[] => columns.filter((column) => isChosen(column, chosen));

/** The ids of the chosen columns after one was turned on or off. */
export const toggleColumn = <Row>(
  columns: readonly Column<Row>[],
  preferences: TablePreferences,
  id: string,
): string[] => {
  const shown = new Set(shownColumns(columns, preferences).map((column) => column.id));
  return columns.flatMap((column) =>
    column.choice !== undefined && column.id !== undefined && shown.has(column.id) !== (column.id === id)
      ? [column.id]
      : [],
  );
};

/** Created once, because sorting a long list calls it a hundred thousand times. */
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Texts that are equal have one rank, so that the slow comparison runs once for each pair of different texts. */
function ranksOf(values: readonly string[]): ReadonlyMap<string, number> {
  const distinct = [...new Set(values)].sort();
  return new Map(
    distinct.sort((one, other) => collator.compare(one, other)).map((text, rank) => [text, rank]),
  );
}

/** Rows with an empty text come last in both directions; rows with equal values keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Pick<Column<Row>, 'id' | 'sortBy'>[],
  sort: TableSort | undefined,
): readonly Row[] {
  const sortBy = columns.find(({ id }) => id !== undefined && id === sort?.column)?.sortBy;
  if (!sort || !sortBy) return rows;
  const values = rows.map(sortBy);
  const ranks = ranksOf(values.filter((value) => typeof value === 'string'));
  const factor = sort.descending ? -1 : 1;
  const keyed = rows.map((row, at) => {
    const value = values[at]!;
    return { row, isLast: value === '', key: typeof value === 'string' ? ranks.get(value)! : value };
  });
  return keyed
    .sort((one, other) => Number(one.isLast) - Number(other.isLast) || factor * (one.key - other.key))
    .map(({ row }) => row);
}

/** A longer text does not widen its column further. */
const maxSizingLength = 40;

/** The longest text of a column, which sets the width of a table that renders only some of its rows. */
export function widestText<Row>({ sortBy, widest = '' }: Column<Row>, rows: readonly Row[]): string {
  let longest = widest;
  for (const row of sortBy ? rows : []) {
    const value = sortBy!(row);
    if (typeof value === 'string' && value.length > longest.length) longest = value;
  }
  return longest.slice(0, maxSizingLength);
}
