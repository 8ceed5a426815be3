/** One row of a table. */
import { signal } from '@preact/signals';
import { cellClass, type Column } from './column.ts';

export interface RowDrag<Row> {
  isOffered: (row: Row) => boolean;
  start: (row: Row, event: DragEvent) => void;
}

interface TableRowProps<Row> {
  row: Row;
  /** The index in the list, counted from 0. */
  index: number;
  isLast: boolean;
  columns: readonly Column<Row>[];
  onOpen: ((row: Row) => void) | undefined;
  onDrag: RowDrag<Row> | undefined;
}

/** A component that reads a signal renders again only if that signal or its props change. */
const unchanged = signal(0);

export function TableRow<Row>({ row, index, isLast, columns, onOpen, onDrag }: TableRowProps<Row>) {
  void unchanged.value;
  return (
    <div
      class={['table-row', onOpen && 'opens', isLast && 'last'].filter(Boolean).join(' ')}
      role="row"
      aria-rowindex={index + 2}
      onClick={onOpen && ((event) => isPlain(event) && onOpen(row))}
      draggable={onDrag?.isOffered(row)}
      onDragStart={onDrag && ((event) => onDrag.start(row, event))}
    >
      {columns.map((column, at) => {
        const content = column.render(row);
        // A long text may be cut off: pointing at it shows all of it.
        const whole = typeof content === 'string' && content !== '' ? content : undefined;
        return (
          <span key={at} role="cell" class={cellClass(column)} data-title={column.title} title={whole}>
            {content}
          </span>
        );
      })}
    </div>
  );
}

/** Whether a click hit the row itself, not a control inside it. */
const isPlain = (event: MouseEvent): boolean =>
  !(event.target as Element).closest('a, button, input, label, select, .menu');
