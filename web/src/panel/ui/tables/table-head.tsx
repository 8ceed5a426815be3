/** The headings of a table, which sort it, and the invisible row that sets the widths of its columns. */
import { useMemo } from 'preact/hooks';
import { changePreferences, preferencesOf } from './table-preferences.ts';
import { t } from '../../texts/index.ts';
import { cellClass, type Column } from './column.ts';
import { Icon } from '../icon.tsx';
import { TableMenu } from './table-menu.tsx';
import { widestText, nextSort } from './table-order.ts';

interface TableHeadProps<Row> {
  name: string | undefined;
  /** The columns that are shown. */
  columns: readonly Column<Row>[];
  all: readonly Column<Row>[];
}

/** The last heading, above the buttons of the rows, holds the menu of tables whose columns can be chosen. */
function ActionsHeading<Row>({ name, all }: TableHeadProps<Row>) {
  if (name !== undefined && all.some(({ choice }) => choice !== undefined))
    return (
      <span class="cell-end">
        <TableMenu name={name} columns={all} />
      </span>
    );
  return <span class="unseen">{t.common.actions}</span>;
}

interface SortHeadingProps {
  name: string;
  id: string;
  title: string;
}

function SortHeading({ name, id, title }: SortHeadingProps) {
  const { sort } = preferencesOf(name);
  const isCurrent = sort?.column === id;
  return (
    <button
      type="button"
      class={isCurrent ? `sort-heading on ${sort.descending ? 'descending' : ''}` : 'sort-heading'}
      onClick={() => changePreferences(name, { sort: nextSort(sort, id) })}
    >
      <span>{title}</span>
      <Icon name="up" />
    </button>
  );
}

export function TableHead<Row>(props: TableHeadProps<Row>) {
  const { name, columns } = props;
  const sort = name === undefined ? undefined : preferencesOf(name).sort;
  return (
    <div class="table-row table-head" role="row" aria-rowindex={1}>
      {columns.map((column) => {
        const { id, title, sortBy } = column;
        const isSortable = name !== undefined && id !== undefined && sortBy !== undefined;
        const direction = sort?.descending ? 'descending' : 'ascending';
        return (
          <span
            key={id ?? title}
            role="columnheader"
            class={cellClass(column)}
            {...(isSortable && { 'aria-sort': sort?.column === id ? direction : 'none' })}
          >
            {isSortable ? (
              <SortHeading name={name} id={id} title={title} />
            ) : (
              title || <ActionsHeading {...props} />
            )}
          </span>
        );
      })}
    </div>
  );
}

interface ColumnSizerProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/** Contains the longest text of each column, so that the widths do not change while a long table is scrolled. */
export function ColumnSizer<Row>({ columns, rows }: ColumnSizerProps<Row>) {
  const texts = useMemo(() => columns.map((column) => widestText(column, rows)), [columns, rows]);
  return (
    <div class="table-row table-sizer" aria-hidden="true">
      {columns.map((column, index) => (
        <span key={index} class={cellClass(column)}>
          {texts[index]}
        </span>
      ))}
    </div>
  );
}
