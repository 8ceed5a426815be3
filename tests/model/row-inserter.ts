/** Inserts rows into the tables of the model, without the service. */
import type { Database } from 'better-sqlite3';

export type Values = Record<string, number | string | null>;
export type Insert = (table: string, values: Values) => number;

interface Column {
  name: string;
  type: string;
  notnull: number;
  pk: number;
  dflt_value: string | null;
}

/** Inserts rows into tables, with empty values in the columns that do not matter here. */
export function createRowInserter(database: Database): Insert {
  const known = new Map<string, (values: Values) => number>();
  const prepare = (table: string, given: Values) => {
    const matters = ({ name, notnull, pk, dflt_value }: Column): boolean =>
      name in given || (notnull === 1 && pk === 0 && dflt_value === null);
    const columns = (database.pragma(`table_info(${table})`) as Column[]).filter(matters);
    const [names, marks] = [columns.map(({ name }) => name).join(), columns.map(() => '?').join()];
    const statement = database.prepare(`insert into ${table} (${names}) values (${marks})`);
    return (values: Values) =>
      Number(
        statement.run(columns.map(({ name, type }) => values[name] ?? emptyOf(type, name in values)))
          .lastInsertRowid,
      );
  };
  return (table, values) => {
    const kind = `${table} ${Object.keys(values).join()}`;
    if (!known.has(kind)) known.set(kind, prepare(table, values));
    return known.get(kind)!(values);
  };
}

const emptyOf = (type: string, given: boolean): number | string | null =>
  given ? null : type.toLowerCase() === 'text' ? '' : 0;
