/**
 * The seed of every random test: the same in each run of the suite; `npm run test:random` draws others and
 * prints them.
 */

const usual = 20_261_115;

export const seed = Number(process.env['DRAWBRIDGE_TEST_SEED'] ?? usual);

/** How to search for a counterexample: this many cases, drawn from the seed. */
export const drawn = (numRuns = 100): { seed: number; numRuns: number } => ({ seed, numRuns });
