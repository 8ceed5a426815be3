/** A table that becomes a list of cards on a narrow screen; long tables render only the visible rows. */
import { signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { preferencesOf } from './table-preferences.ts';
import { useFocusedRow } from './focused-row.ts';
import { usePassingRows } from './passing-rows.ts';
import { assignSlots, type RowKey } from './row-slots.ts';
import { toRowsAndGaps } from './visible-rows.ts';
import { defaultMaxUnvirtualized, useVirtualRows } from './virtual-rows.ts';
import { ColumnSizer, TableHead } from './table-head.tsx';
import { shownColumns, sortRows } from './table-order.ts';
import { TableRow, type RowDrag } from './table-row.tsx';
import type { Column } from './column.ts';

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => RowKey;
  /** The name under which people's choices for this table are stored; a table without one cannot be sorted. */
  name?: string;
  /** True if the rows already have the chosen order, for example because the server sorts them. */
  isSorted?: boolean;
  /** Called when the user clicks a row. */
  onOpen?: (row: Row) => void;
  /** The title of a row, which is all that is shown of it while it passes too fast to be read. */
  titleOf?: (row: Row) => string;
  /** Makes rows draggable. */
  onDrag?: RowDrag<Row>;
  /** Tables up to this length are rendered in full; lower for tables with expensive rows. */
  maxUnvirtualized?: number;
}

/** All rows of a long table have the same height, so that the visible rows can be calculated. */
const heights = { wide: 52, dense: 36, narrow: 72 };
const narrow = matchMedia('(max-width: 720px)');
/** Follows the width of the window, for example when a phone is rotated. */
export const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', () => (isNarrow.value = narrow.matches));

/** As wide as its content, which the style sheet limits, and narrower where there is no room. */
const contentWidth = 'minmax(3rem, max-content)';

const widthOf = <Row,>({ width }: Column<Row>, at: number): string =>
  width ?? (at === 0 ? 'minmax(7rem, auto)' : contentWidth);

/** The rows in the chosen order and the chosen columns. */
function useChosen<Row>({ name, columns, rows, isSorted = false }: DataTableProps<Row>) {
  const preferences = name === undefined ? {} : preferencesOf(name);
  const { sort } = preferences;
  const chosen = preferences.columns?.join();
  return {
    isDense: preferences.dense === true && !isNarrow.value,
    rows: useMemo(() => (isSorted ? rows : sortRows(rows, columns, sort)), [rows, columns, sort, isSorted]),
    columns: useMemo(() => shownColumns(columns, preferences), [columns, chosen]),
  };
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, name, maxUnvirtualized = defaultMaxUnvirtualized } = props;
  const { rows, columns, isDense } = useChosen(props);
  const rowHeight = isNarrow.value ? heights.narrow : isDense ? heights.dense : heights.wide;
  const looks = ['table', rows.length > maxUnvirtualized && 'long', isDense && 'dense'];
  return (
    <div
      class={looks.filter(Boolean).join(' ')}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      style={{ '--columns': columns.map(widthOf).join(' '), '--row-height': `${rowHeight}px` }}
    >
      <TableHead name={name} columns={columns} all={props.columns} />
      <ColumnSizer columns={columns} rows={rows} />
      <TableBody {...props} columns={columns} rows={rows} rowHeight={rowHeight} />
    </div>
  );
}

function TableBody<Row>(props: DataTableProps<Row> & { rowHeight: number }) {
  const { columns, rows, keyOf, onOpen, onDrag, rowHeight, maxUnvirtualized, titleOf } = props;
  const { passingRef, showPassing } = usePassingRows(rowHeight, (index) => titleOf?.(rows[index]!) ?? '');
  const { containerRef, first, last } = useVirtualRows({
    count: rows.length,
    rowHeight,
    maxUnvirtualized,
    ...(titleOf && { showPassing }),
  });
  const { focusedKey, focusedIndex, focusHandlers } = useFocusedRow();
  const parts = toRowsAndGaps({ first, last, count: rows.length, focused: focusedIndex(rows, keyOf) });
  const slots = useRef<ReadonlyMap<RowKey, number>>(new Map());
  const shown = parts.flatMap((part) => ('at' in part ? keyOf(rows[part.at]!) : []));
  slots.current = assignSlots(slots.current, shown, focusedKey());
  return (
    <div ref={containerRef} role="rowgroup" {...focusHandlers(rows, keyOf)}>
      {parts.map((part) =>
        'gap' in part ? (
          <div
            key={part.gap}
            class="table-gap"
            aria-hidden="true"
            style={{ height: `${part.rows * rowHeight}px` }}
          />
        ) : (
          <TableRow
            key={slots.current.get(keyOf(rows[part.at]!))}
            row={rows[part.at]!}
            index={part.at}
            isLast={part.at === rows.length - 1}
            columns={columns}
            onOpen={onOpen}
            onDrag={onDrag}
          />
        ),
      )}
      {titleOf && <div ref={passingRef} class="table-passing" aria-hidden="true" hidden />}
    </div>
  );
}
