/** The older form of the API, for scripts written against it: the key in the query, and bare lists. Off by default. */
import { isFault, type Fault } from '@drawbridge/contract/faults';

/** The key in the query, where the older form carries it. */
export const legacyKey = (
  query: { values: Record<string, string> } | { error: string },
): string | undefined => ('values' in query ? query.values['apikey'] : undefined);

/** What the older form answers: for the list of devices, the list alone. */
export function legacyAnswer(id: string, result: object | Fault, body: string | Buffer): string | Buffer {
  if (id !== 'agents/list' || isFault(result) || !('rendered' in result)) return body;
  const { data } = result.rendered as { data: string | readonly Buffer[] };
  return typeof data === 'string' ? data : Buffer.concat(data);
}
