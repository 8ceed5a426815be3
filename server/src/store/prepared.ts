/** Queries that are built and compiled once, for the paths every request takes; parameters are given when they run. */
import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './schema.ts';

const named = Symbol('parameter');

interface Placeholder {
  [named]: string;
}

type Parameter<P> = <Name extends keyof P & string>(name: Name) => P[Name];
type Build<P, R> = (db: Kysely<Tables>, parameter: Parameter<P>) => Compilable<R>;

/** A query with named parameters. Compiled once for each kind of database. */
export function prepared<P, R>(build: Build<P, R>): (db: Kysely<Tables>, values: P) => Promise<R[]> {
  const compiled = new Map<unknown, CompiledQuery<R>>();
  return async (db, values) => {
    const kind = db.getExecutor().adapter.constructor;
    let query = compiled.get(kind);
    if (!query) compiled.set(kind, (query = build(db, placeholder as Parameter<P>).compile()));
    const parameters = query.parameters.map((each) => fill(each, values));
    return (await db.executeQuery<R>({ ...query, parameters })).rows;
  };
}

const placeholder = (name: string): unknown => ({ [named]: name }) satisfies Placeholder;

const fill = <P>(parameter: unknown, values: P): unknown =>
  typeof parameter === 'object' && parameter !== null && named in parameter
    ? values[(parameter as Placeholder)[named] as keyof P]
    : parameter;
