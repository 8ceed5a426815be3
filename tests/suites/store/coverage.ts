/**
 * What a run of the suite has covered of the store, and what it should have: every change of the table in every
 * outcome that its row names, every read.
 */
import { isFault, type FaultName } from '@drawbridge/contract/faults';
import { changeTable } from '@drawbridge/server/store/changes';
import type { Store } from '@drawbridge/server/store/store';

type Outcome = 'done' | FaultName;

export interface Coverage {
  /** The same store, with its use recorded. */
  watch(store: Store): Store;
  /** What no test has covered, as text. */
  missing(): string[];
}

export function createCoverage(): Coverage {
  const wanted = new Set<string>();
  const seen = new Set<string>();
  for (const [name, { faults }] of Object.entries(changeTable))
    for (const outcome of ['done', ...faults]) wanted.add(`${name}: ${outcome}`);

  const watchReads = (area: string, reads: object): object =>
    Object.fromEntries(
      Object.entries(reads).map(([name, read]) => {
        wanted.add(`${area}.${name}`);
        return [name, (...given: unknown[]) => (seen.add(`${area}.${name}`), read(...given) as unknown)];
      }),
    );

  return {
    watch(store) {
      const areas = Object.entries(store).filter(([, value]) => typeof value === 'object');
      return {
        ...store,
        ...Object.fromEntries(areas.map(([area, reads]) => [area, watchReads(area, reads as object)])),
        async change(name, input, line) {
          const outcome = await store.change(name, input, line);
          const ended: Outcome = isFault(outcome) ? outcome.fault : 'done';
          seen.add(`${name}: ${ended}`);
          return outcome;
        },
      };
    },
    missing: () => [...wanted].filter((each) => !seen.has(each)),
  };
}
