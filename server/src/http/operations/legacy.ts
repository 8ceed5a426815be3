/** The older form of the API for existing scripts: the key in the query, and bare lists. It is off by default. */
import { isFault, type Fault } from '@drawbridge/contract/faults';
import type { Operation } from '@drawbridge/contract/operation';

/** Returns the key from the query, where the older form has it. */
export const legacyKey = (query: { values: Record<string, string> } | Fault): string | undefined =>
  'values' in query ? query.values['apikey'] : undefined;

/** Returns the body of the older form: for rows with `legacyBody`, the value of that field alone. */
export function legacyBodyOf(row: Operation, result: object | Fault, body: string | Buffer): string | Buffer {
  if (row.legacyBody === undefined || isFault(result) || !('rendered' in result)) return body;
  const value = (result.rendered as Record<string, string | readonly Buffer[]>)[row.legacyBody]!;
  return typeof value === 'string' ? value : Buffer.concat(value);
}
