/** The menu of a table: which columns it shows, its order, and the height of its rows. */
import type { MenuItem, MenuPart } from '../../../ui/menu.ts';
import { changePreferences, preferencesOf } from './table-preferences.ts';
import { t } from '../../texts/index.ts';
import type { Column } from './column.ts';
import { Menu } from '../menu.tsx';
import { nextSort, shownColumns, toggleColumn } from './table-order.ts';

const texts = t.common.table;

interface TableMenuProps<Row> {
  /** The name under which the choices are stored. */
  name: string;
  columns: readonly Column<Row>[];
  /** True if the table shows no headings: then only the menu sorts. */
  isHeadless?: boolean;
}

function columnItems<Row>({ name, columns }: TableMenuProps<Row>): MenuItem[] {
  const shown = shownColumns(columns, preferencesOf(name));
  return columns
    .filter(({ choice }) => choice !== undefined)
    .map((column) => ({
      text: column.title,
      checked: shown.includes(column),
      keepsOpen: true,
      choose: () =>
        changePreferences(name, { columns: toggleColumn(columns, preferencesOf(name), column.id ?? '') }),
    }));
}

function sortItems<Row>({ name, columns }: TableMenuProps<Row>): MenuItem[] {
  const { sort } = preferencesOf(name);
  const sortable = columns.filter(({ id, sortBy }) => id !== undefined && sortBy !== undefined);
  return [
    {
      text: texts.ownOrder,
      checked: sort === undefined,
      choose: () => changePreferences(name, { sort: undefined }),
    },
    ...sortable.map(({ id, title }) => ({
      text: title,
      hint: sort?.column !== id ? undefined : sort?.descending ? texts.descending : texts.ascending,
      checked: sort?.column === id,
      keepsOpen: true,
      choose: () => changePreferences(name, { sort: nextSort(preferencesOf(name).sort, id!) }),
    })),
  ];
}

const denseItem = (name: string): MenuItem => ({
  text: texts.dense,
  checked: preferencesOf(name).dense === true,
  keepsOpen: true,
  choose: () => changePreferences(name, { dense: preferencesOf(name).dense !== true }),
});

export const TableMenu = <Row,>(props: TableMenuProps<Row>) => (
  <Menu
    icon="columns"
    title={props.isHeadless ? texts.sortBy : texts.menu}
    parts={(): MenuPart[] =>
      props.isHeadless
        ? [{ heading: texts.sortBy }, { items: sortItems(props) }]
        : [{ heading: texts.columns }, { items: columnItems(props) }, { items: [denseItem(props.name)] }]
    }
  />
);
