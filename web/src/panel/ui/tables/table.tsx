/** A table that becomes a list of cards on a narrow screen; long tables render only the visible rows. */
import { signal } from '@preact/signals';
import { t } from '../../texts/index.ts';
import { useFocusedRow } from './focused-row.ts';
import { toRowsAndGaps } from './visible-rows.ts';
import { defaultMaxUnvirtualized, useVirtualRows } from './virtual-rows.ts';
import { TableRow, type RowDrag } from './table-row.tsx';
import type { Column } from './column.ts';

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** Called when the user clicks a row. */
  onOpen?: (row: Row) => void;
  /** Makes rows draggable. */
  onDrag?: RowDrag<Row>;
  /** Tables up to this length are rendered in full; lower for tables with expensive rows. */
  maxUnvirtualized?: number;
}

/** All rows of a long table have the same height, so that the visible rows can be calculated. */
const heights = { wide: 52, narrow: 72 };
const narrow = matchMedia('(max-width: 720px)');
/** Follows the width of the window, for example when a phone is rotated. */
const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', () => (isNarrow.value = narrow.matches));

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, maxUnvirtualized = defaultMaxUnvirtualized } = props;
  const rowHeight = isNarrow.value ? heights.narrow : heights.wide;
  const template = columns.map(({ width }) => width ?? 'minmax(0, 1fr)').join(' ');
  return (
    <div
      class={rows.length > maxUnvirtualized ? 'table long' : 'table'}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      style={{ '--columns': template, '--row-height': `${rowHeight}px` }}
    >
      <div class="table-row table-head" role="row" aria-rowindex={1}>
        {columns.map(({ title, wideOnly }, index) => (
          <span key={index} role="columnheader" class={wideOnly ? 'wide-only' : undefined}>
            {title || <span class="unseen">{t.common.actions}</span>}
          </span>
        ))}
      </div>
      <TableBody {...props} rowHeight={rowHeight} />
    </div>
  );
}

function TableBody<Row>(props: DataTableProps<Row> & { rowHeight: number }) {
  const { columns, rows, keyOf, onOpen, onDrag, rowHeight, maxUnvirtualized } = props;
  const { containerRef, first, last } = useVirtualRows(rows.length, rowHeight, maxUnvirtualized);
  const { focusedIndex, focusHandlers } = useFocusedRow();
  const parts = toRowsAndGaps({ first, last, count: rows.length, focused: focusedIndex(rows, keyOf) });
  return (
    <div ref={containerRef} role="rowgroup" {...focusHandlers(rows, keyOf)}>
      {parts.map((part) =>
        'gap' in part ? (
          <div key={part.gap} aria-hidden="true" style={{ height: `${part.rows * rowHeight}px` }} />
        ) : (
          <TableRow
            key={keyOf(rows[part.at]!)}
            row={rows[part.at]!}
            index={part.at}
            columns={columns}
            onOpen={onOpen}
            onDrag={onDrag}
          />
        ),
      )}
    </div>
  );
}
