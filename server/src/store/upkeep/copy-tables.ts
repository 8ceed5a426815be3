/** Copies rows from one database to another, table by table and in batches, for backups and restores. */
import { sql, type CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from '../engine/schema.ts';

/** A table as needed for copying. */
export interface TableShape {
  name: string;
  columns: readonly string[];
  /** The columns of the primary key, which order the batches. */
  key: readonly string[];
}

type Row = Record<string, unknown>;

/** Called after each batch with the table and the number of rows copied so far. */
export type OnCopied = (table: string, rows: number) => void;

/** The most values in one statement: SQLite accepts 32,766, and a batch should fit into memory. */
const valuesPerBatch = 10_000;

/** Copies all rows of these tables in this order, each table after those that it refers to. Returns the number of rows. */
export async function copyTables(
  from: Kysely<Tables>,
  to: Kysely<Tables>,
  shapes: readonly TableShape[],
  onCopied: OnCopied = () => {},
): Promise<number> {
  let total = 0;
  for (const shape of shapes) {
    const insert = createInserter(to, shape);
    let rows = 0;
    for await (const batch of readBatches(from, shape)) {
      await insert(batch);
      onCopied(shape.name, (rows += batch.length));
    }
    total += rows;
  }
  return total;
}

async function* readBatches(db: Kysely<Tables>, shape: TableShape): AsyncGenerator<Row[]> {
  const key = sql.join(shape.key.map((name) => sql.ref(name)));
  const limit = Math.floor(valuesPerBatch / shape.columns.length);
  let after = sql``;
  for (;;) {
    const { rows } = await sql<Row>`select ${columnsOf(shape)} from ${sql.table(shape.name)} ${after}
      order by ${key} limit ${sql.lit(limit)}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    const last = rows.at(-1)!;
    after = sql`where (${key}) > (${sql.join(shape.key.map((name) => last[name]))})`;
  }
}

/**
 * Inserts batches into one table. Batches of the same size share one statement, because building it takes longer than
 * running it.
 */
function createInserter(db: Kysely<Tables>, shape: TableShape): (rows: readonly Row[]) => Promise<unknown> {
  const statements = new Map<number, CompiledQuery>();
  const build = (rows: readonly Row[]): CompiledQuery => {
    const values = rows.map((row) => sql`(${sql.join(valuesOf(shape, row))})`);
    return sql`insert into ${sql.table(shape.name)} (${columnsOf(shape)}) values ${sql.join(values)}`.compile(
      db,
    );
  };
  return (rows) => {
    const statement = statements.get(rows.length) ?? build(rows);
    statements.set(rows.length, statement);
    const parameters = rows.flatMap((row) => valuesOf(shape, row));
    return db.executeQuery({ ...statement, parameters });
  };
}

const valuesOf = (shape: TableShape, row: Row): unknown[] => shape.columns.map((name) => row[name]);
const columnsOf = (shape: TableShape) => sql.join(shape.columns.map((name) => sql.ref(name)));
