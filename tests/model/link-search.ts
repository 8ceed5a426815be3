/**
 * A search for a link that gives too much, in a separate thread: random organisations, links shown, changes,
 * links used.
 */
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import type { Actor } from '@drawbridge/server/domain/people/access';
import { fixedLinkCases } from './fixed-cases.ts';
import { planArbitrary, stepArbitrary } from './arbitraries.ts';
import { modelApiKey, type Organisation } from './organisation.ts';
import type { SearchResult, SearchTask } from './search.ts';
import type { ModelStep } from './steps.ts';
import { withRollback, openModel, performStep, type Model } from './model.ts';

/** A link that a member was shown, and its target in terms of permissions. */
interface ShownLink {
  person: string;
  url: string;
  /** The letter of its path. */
  linkKind: string;
  on: string;
}

const fewSteps = fc.array(stepArbitrary, { maxLength: 4 });

async function search({ runs, seed }: SearchTask): Promise<SearchResult> {
  const model = await openModel();
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const property = fc.asyncProperty(planArbitrary, fewSteps, fewSteps, (plan, first, then) =>
    withRollback(model, () => runScenario(model, model.createOrganisation(plan), [first, then], count)),
  );
  const details = await fc.check(property, {
    seed,
    numRuns: fixedLinkCases.length + runs,
    examples: fixedLinkCases,
  });
  if (!details.failed) return { counts, counterexample: '' };
  return { counts, counterexample: `${String(details.errorInstance)}\n${fc.defaultReportMessage(details)}` };
}

type Rights = Map<string, Set<string>>;

async function runScenario(
  model: Model,
  org: Organisation,
  [first, then]: readonly [readonly ModelStep[], readonly ModelStep[]],
  count: (what: string) => void,
): Promise<void> {
  for (const step of first) await performStep(model, org, step);
  const before = model.rightsOf(org);
  const shown: ShownLink[] = [];
  for (const person of org.people) shown.push(...(await linksOf(model, org, person)));
  for (const step of then) await performStep(model, org, step);
  const rights = model.rightsOf(org);
  for (const link of shown) {
    const hasLess = before.get(link.person)!.size > rights.get(link.person)!.size;
    count(
      `${link.linkKind}: ${(await opens(model, link, rights)) ? 'opened' : hasLess ? 'closed since' : 'closed'}`,
    );
    for (const other of link.linkKind === 'o' ? org.people : []) {
      const caller = await model.context.store.actors.byEmail(org.accountId, other);
      if (caller && (await opens(model, link, rights, caller))) count('signed in: opened');
    }
  }
}

/**
 * Whether a link opens; throws if it gives too much: a signed-in member uses it as themselves, anyone else
 * with the permissions of the link's member.
 */
async function opens(model: Model, link: ShownLink, rights: Rights, caller?: Actor): Promise<boolean> {
  const { person, url, on } = link;
  const got = await withRollback(model, () => model.context.visit(url, caller));
  const isWithin = (whose: string): boolean => got.every((each) => rights.get(whose)!.has(`${each} ${on}`));
  if (!isWithin(person) && !(caller && isWithin(caller.email)))
    throw new Error(`${caller?.email ?? 'somebody'} got ${got.join()} by ${url} of ${person}`);
  return got.length > 0;
}

/** Every link that a member is shown, in lists and on request. */
async function linksOf({ context }: Model, org: Organisation, person: string): Promise<ShownLink[]> {
  const ask = async (id: Parameters<typeof context.call>[1], params: object): Promise<string[]> =>
    urlsIn(await context.call(modelApiKey(person), id, params));
  const links: ShownLink[] = [];
  const add = (urls: readonly string[], on: string): void =>
    void links.push(...urls.map((url) => ({ person, url, on, linkKind: new URL(url).pathname.charAt(1) })));
  for (const id of org.devices) {
    add(await ask('agents/info', { agent_id: id }), `on device ${id}`);
    add(await ask('agents/connect', { agent_id: id }), `on device ${id}`);
  }
  for (const connection_id of org.invitations) {
    add(await ask('support/info', { connection_id }), 'in quick_support');
    add(await ask('support/connect', { connection_id }), 'in quick_support');
  }
  return links;
}

/** Addresses that open a session; those with a password open for anyone who knows it. */
const urlsIn = (reply: object): string[] =>
  JSON.stringify(reply).match(/https:\/\/localhost\/[tco]\/[\w.-]+/g) ?? [];

parentPort?.postMessage(await search(workerData as SearchTask));
