/** A table that becomes a list of cards on a narrow page; long ones draw only the rows that are in sight. */
import { signal } from '@preact/signals';
import { t } from '../texts/index.ts';
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
  /** Where a click on the row leads. */
  onOpen?: (row: Row) => void;
  /** Rows can be dragged; says what is dragged along. */
  onDrag?: RowDrag<Row>;
  /** Up to how many rows are all drawn; less where a row is much work. */
  maxUnvirtualized?: number;
}

/** The rows of long tables are of one height, so that it is known which are in sight. */
const heights = { wide: 52, narrow: 72 };
const narrow = matchMedia('(max-width: 720px)');
/** Follows the page when it becomes narrow or wide: a phone is turned, a window drawn smaller. */
const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', () => (isNarrow.value = narrow.matches));

export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  onOpen,
  onDrag,
  maxUnvirtualized = defaultMaxUnvirtualized,
}: DataTableProps<Row>) {
  const rowHeight = isNarrow.value ? heights.narrow : heights.wide;
  const { containerRef, first, last } = useVirtualRows(rows.length, rowHeight, maxUnvirtualized);
  const { focusedIndex, focusHandlers } = useFocusedRow();
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
      <div ref={containerRef} role="rowgroup" {...focusHandlers(rows, keyOf)}>
        {toRowsAndGaps({ first, last, count: rows.length, focused: focusedIndex(rows, keyOf) }).map((part) =>
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
    </div>
  );
}
