/**
 * Nobody but the owner can widen their own permissions, nor hand out team permissions that they do not hold:
 * searched in thousands of small organisations.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { seed } from '../kit/random.ts';
import type { SearchResult, SearchTask } from './search.ts';
import { modelActions, riskyActions } from './steps.ts';

/** DRAWBRIDGE_TEST_ORGANISATIONS=10000 for the long version. */
const runs = Number(process.env['DRAWBRIDGE_TEST_ORGANISATIONS'] ?? 2_000);
const threads = 2;

/** Lets threads search this many organisations together, each different ones. */
const search = (file: string, organisations: number): Promise<SearchResult[]> =>
  Promise.all(
    Array.from({ length: threads }, async (_, index) => {
      const share: SearchTask = { runs: organisations / threads, seed: seed + index, index, threads };
      const worker = new Worker(new URL(file, import.meta.url), { workerData: share });
      const [found] = (await once(worker, 'message')) as [SearchResult];
      return found;
    }),
  );

/** What steps together must have led to. */
const searchedEffects = [
  'a directory signs in',
  'a disabled person is refused',
  'groups bring somebody into a department',
  'groups take somebody out of a department',
  'a provider recognises somebody',
];

const timesIn = (results: readonly SearchResult[], what: string): number =>
  results.reduce((sum, { counts }) => sum + (counts.get(what) ?? 0), 0);

test(`no step of anyone but the owner gives them a permission they lacked, or anyone a team permission they lack (${runs} organisations)`, async () => {
  const found = await search('./search.ts', runs);

  for (const { counterexample } of found) assert.equal(counterexample, '');
  // A model in which nothing can be done, or nothing is refused, would prove nothing.
  const often = (what: string): boolean => timesIn(found, what) >= 3;
  for (const action of Object.keys(modelActions))
    assert.ok(often(`${action}: done`), `${action} was hardly ever done`);
  for (const what of searchedEffects) assert.ok(often(what), `${what}: hardly ever`);
  for (const action of riskyActions)
    assert.ok(often(`${action}: beyond_own_rights`), `${action} was hardly ever too much`);
});

const organisationRuns = runs / 2;

test(`no link that a member is shown gives more than they hold when it is used (${organisationRuns} organisations)`, async () => {
  const seen = await search('./link-search.ts', organisationRuns);

  for (const { counterexample } of seen) assert.equal(counterexample, '');
  const times = (what: string): number => timesIn(seen, what);
  for (const what of ['t', 'c', 'o'].flatMap((linkKind) => [
    `${linkKind}: opened`,
    `${linkKind}: closed since`,
  ]))
    assert.ok(times(what) >= 3, `${what} hardly ever`);
  assert.ok(times('signed in: opened') >= 3, 'hardly anybody was signed in');
});
