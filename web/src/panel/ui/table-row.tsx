/** One row of a table. */
import { signal } from '@preact/signals';
import type { Column } from './column.ts';

export interface RowDrag<Row> {
  isOffered: (row: Row) => boolean;
  start: (row: Row, event: DragEvent) => void;
}

interface TableRowProps<Row> {
  row: Row;
  /** Counted from 0. */
  index: number;
  columns: readonly Column<Row>[];
  onOpen: ((row: Row) => void) | undefined;
  onDrag: RowDrag<Row> | undefined;
}

/** Who reads a signal is drawn anew only when that, or something that was given, is another one. */
const unchanged = signal(0);

export function TableRow<Row>({ row, index, columns, onOpen, onDrag }: TableRowProps<Row>) {
  void unchanged.value;
  return (
    <div
      class={onOpen ? 'table-row opens' : 'table-row'}
      role="row"
      aria-rowindex={index + 2}
      onClick={onOpen && ((event) => isPlain(event) && onOpen(row))}
      draggable={onDrag?.isOffered(row)}
      onDragStart={onDrag && ((event) => onDrag.start(row, event))}
    >
      {columns.map(({ title, render, wideOnly }, at) => (
        <span key={at} role="cell" class={wideOnly ? 'wide-only' : undefined} data-title={title}>
          {render(row)}
        </span>
      ))}
    </div>
  );
}

/** A click on the row itself, not on something in it that is pressed for its own sake. */
const isPlain = (event: MouseEvent): boolean =>
  !(event.target as Element).closest('a, button, input, label, select, .menu');
