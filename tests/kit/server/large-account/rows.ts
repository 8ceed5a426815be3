/** Rows by the thousand: one statement, counted by the database. */

export const manyRows = 10_000;
/** The kinds with fewer rows: groups of devices, and accounts of the server. */
export const manyGroups = 200;
export const manyAccounts = 2_000;
/** Ids start here, so that rows can refer to each other. */
export const firstRowId = 1_000_000;
/** The one of each kind that has very many of the others. */
export const busiestRowId = firstRowId + 1;

export interface LargeAccount {
  accountId: number;
  ownerId: number;
  ownerEmail: string;
  now: number;
}

export interface Rows {
  table: string;
  count: number;
  /** Columns, each with an expression in which `i` counts from 1. */
  columns: Record<string, string | number>;
  /** Filters the numbers. */
  where?: string;
}

export const sqlText = (value: string): string => `'${value.replaceAll("'", "''")}'`;

export const toInsert = ({ table, count, columns, where = 'true' }: Rows): string =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
   insert into ${table} (${Object.keys(columns).join()}) select ${Object.values(columns).join()} from n where ${where}`;

export const rowId = `${firstRowId} + i`;
export const paddedNumber = `substr('0000' || i, -5)`;
