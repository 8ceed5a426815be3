/** The columns that a person can choose for the table of a reply. */
import type { Operation } from '@drawbridge/contract/operation';
import { fieldsOf, schemaOf } from '@drawbridge/contract/documents/schema';
import { type CliFailure, isCliFailure, usageFailure } from './failure.ts';
import type { GlobalOptions } from './command-line.ts';
import { suggestion } from './suggest.ts';

/** The fields of each item of a list, or of the record. An object also counts, for everything in it. */
export function columnsOf(row: Operation): string[] {
  const { properties = {} } = schemaOf(row.output);
  const { data, ...rest } = properties;
  const item = data?.type === 'array' ? data.items : { properties: { ...rest, ...data?.properties } };
  return fieldsOf(item ?? {}).map(({ name }) => name);
}

/** Checked before anything is sent, so that a command with a typing error changes nothing. */
export function parseColumns(
  { columns }: GlobalOptions,
  known: readonly string[],
): string[] | undefined | CliFailure {
  if (columns === undefined) return undefined;
  const wanted = columns.split(',').map((name) => name.trim());
  const found = wanted.map((name) => findColumn(name, known));
  return found.find(isCliFailure) ?? found.filter((name) => typeof name === 'string');
}

/** In any case, because tables show the names in capital letters. */
function findColumn(wanted: string, known: readonly string[]): string | CliFailure {
  const found = known.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  if (known.length === 0) return usageFailure('--columns: this command shows no columns.');
  return usageFailure(
    `--columns: there is no column ${JSON.stringify(wanted)}.${suggestion(wanted, [...known])} The columns are ${known.join(', ')}.`,
  );
}
