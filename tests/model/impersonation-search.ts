/**
 * A search for an impersonation, in a separate thread: random organisations, links created, changes, links
 * used.
 */
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import { isFault } from '@drawbridge/contract/faults';
import { random, digestOf } from '@drawbridge/server/edges/random';
import { planArbitrary, stepArbitrary } from './arbitraries.ts';
import { modelApiKey, pickAt, type Organisation } from './organisation.ts';
import type { SearchResult, SearchTask } from './search.ts';
import type { ModelStep } from './steps.ts';
import { withRollback, openModel, performStep, type Model } from './model.ts';

/** A link that signs in as a member, held by its creator. */
interface MadeLink {
  maker: string;
  person: string;
  token: string;
  purpose: 'invite' | 'reset';
}

const fewSteps = fc.array(stepArbitrary, { maxLength: 5 });

async function search({ runs, seed }: SearchTask): Promise<SearchResult> {
  const model = await openModel();
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const property = fc.asyncProperty(planArbitrary, fc.nat(), fewSteps, (plan, shift, later) =>
    withRollback(model, async () => {
      const org = model.createOrganisation(plan);
      for (const purpose of ['invite', 'reset'] as const)
        await withRollback(model, () => runScenario(model, org, { purpose, shift, later, count }));
    }),
  );
  const details = await fc.check(property, {
    seed,
    numRuns: runs,
  });
  if (!details.failed) return { counts, counterexample: '' };
  return { counts, counterexample: `${String(details.errorInstance)}\n${fc.defaultReportMessage(details)}` };
}

interface LinkScenario {
  purpose: MadeLink['purpose'];
  shift: number;
  later: readonly ModelStep[];
  count(what: string): void;
}

/** Every member creates a link of another, things change, and then everyone uses the link they created. */
async function runScenario(
  model: Model,
  org: Organisation,
  { purpose, shift, later, count }: LinkScenario,
): Promise<void> {
  const links: MadeLink[] = [];
  for (const [at, person] of org.people.entries()) {
    const maker = pickAt(org.people, at + shift);
    const token = await make[purpose](model, org, maker, person);
    if (token === undefined) count(`${purpose}: refused`);
    else links.push({ maker, person, token, purpose });
  }
  // Newly created links would end these.
  for (const step of later) if (step.does !== 'invites a person') await performStep(model, org, step);
  for (const link of links)
    count(
      `${purpose}: ${(await withRollback(model, () => opens(model, org, link))) ? 'opened' : 'closed since'}`,
    );
}

type Make = (model: Model, org: Organisation, maker: string, person: string) => Promise<string | undefined>;

const make: Record<MadeLink['purpose'], Make> = {
  invite: async ({ context }, _org, maker, email) => {
    const answer = await context.call(modelApiKey(maker), 'team/member/invite', { email });
    return (answer as { url?: string }).url?.split('/').at(-1);
  },
  // Also by those who do not manage members: an action that is refused to nobody must still not give too
  // much.
  reset: async ({ context }, { accountId }, maker, email) => {
    context.database.prepare("update member set state = 'active' where account_id = ?").run(accountId);
    const by = (await context.store.actors.byEmail(accountId, maker))!.memberId;
    const token = random.token();
    const link = { digest: digestOf(token), expireTime: context.store.now() + 60 };
    const made = await context.store.change('members/reset', { accountId, by, email, link, forget: false });
    return isFault(made) ? undefined : token;
  },
};

/** Whether a link opens; throws if its creator would become a member who holds more. */
async function opens(model: Model, org: Organisation, { maker, person, token }: MadeLink): Promise<boolean> {
  const session = { digest: digestOf(random.token()), address: '', userAgent: '' };
  const entered = await model.context.store.change('members/sign-in', { digest: digestOf(token), session });
  if (isFault(entered)) return false;
  const rights = model.rightsOf(org);
  const gained = [...rights.get(person)!.difference(rights.get(maker)!)];
  if (gained.length > 0 && maker !== person)
    throw new Error(`${maker} acts as ${person} and so has ${gained.join()}`);
  return true;
}

parentPort?.postMessage(await search(workerData as SearchTask));
