/** Queries that are built and compiled once, for code that runs on every request; parameters are given when they run. */
import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './schema.ts';

const parameterName = Symbol('parameter');

interface Placeholder {
  [parameterName]: string;
}

type Parameter<P> = <Name extends keyof P & string>(name: Name) => P[Name];
type Build<P, R> = (db: Kysely<Tables>, parameter: Parameter<P>) => Compilable<R>;

/** A prepared statement that runs synchronously: parameters in, rows out. */
export type PreparedStatement = (parameters: unknown[]) => unknown[];

/** Embedded databases run statements synchronously, without acquiring a connection. */
const embedded = new WeakMap<Kysely<Tables>, (text: string) => PreparedStatement>();

/** Lets prepared queries on this database run as bare statements. */
export const runSynchronously = (db: Kysely<Tables>, prepare: (text: string) => PreparedStatement): void =>
  void embedded.set(db, prepare);

const unread = new Set<string>();

/** Whether nobody reads the result of this statement, so that a distant database need not be waited for. */
export const isResultUnread = (text: string): boolean => unread.has(text);

/** A statement that only writes; an error of it can appear at a later statement of its transaction. */
export function preparedWrite<P extends object>(
  build: Build<P, unknown>,
): (db: Kysely<Tables>, values: P) => unknown {
  return prepared<P, unknown>((db, parameter) => {
    const statement = build(db, parameter);
    unread.add(statement.compile().sql);
    return statement;
  });
}

/** A query with named parameters. Compiled once for each kind of database. Embedded databases give the rows at once. */
export function prepared<P extends object, R>(
  build: Build<P, R>,
): (db: Kysely<Tables>, values: P) => R[] | Promise<R[]> {
  const compiled = new Map<unknown, CompiledQuery<R>>();
  const statements = new WeakMap<Kysely<Tables>, { run: PreparedStatement; query: CompiledQuery<R> }>();

  const compile = (db: Kysely<Tables>): CompiledQuery<R> => {
    const kind = db.getExecutor().adapter.constructor;
    let query = compiled.get(kind);
    if (!query) compiled.set(kind, (query = build(db, placeholder as unknown as Parameter<P>).compile()));
    return query;
  };

  const runThroughKysely = async (db: Kysely<Tables>, values: P): Promise<R[]> => {
    const query = compile(db);
    const run = embedded.get(db)?.(query.sql);
    if (run) statements.set(db, { run, query });
    return (await db.executeQuery<R>({ ...query, parameters: bindValues(query, values) })).rows;
  };

  return (db, values) => {
    const known = statements.get(db);
    return known ? (known.run(bindValues(known.query, values)) as R[]) : runThroughKysely(db, values);
  };
}

const placeholder = (name: string): Placeholder => ({ [parameterName]: name });

const bindValues = ({ parameters }: CompiledQuery, values: object): unknown[] =>
  parameters.map((each) => (isPlaceholder(each) ? values[each[parameterName] as keyof typeof values] : each));

const isPlaceholder = (parameter: unknown): parameter is Placeholder =>
  typeof parameter === 'object' && parameter !== null && parameterName in parameter;
