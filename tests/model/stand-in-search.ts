/** A search for a way to act as another person, in a thread of its own: random organisations, links made, changes, links used. */
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import { isFault } from '@drawbridge/contract/faults';
import { random, digestOf } from '@drawbridge/server/random';
import { plans, steps } from './draws.ts';
import { keyOf, pick, type Organisation } from './organisation.ts';
import type { Found, Share } from './search.ts';
import type { Step } from './steps.ts';
import { asIfNever, openWorld, take, type World } from './world.ts';

/** A link into the place of a person, in the hands of the one who made it. */
interface MadeLink {
  maker: string;
  person: string;
  token: string;
  purpose: 'invite' | 'reset';
}

const few = fc.array(steps, { maxLength: 5 });

async function search({ runs, seed }: Share): Promise<Found> {
  const world = await openWorld();
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const property = fc.asyncProperty(plans, fc.nat(), few, (plan, shift, later) =>
    asIfNever(world, async () => {
      const org = world.found(plan);
      for (const purpose of ['invite', 'reset'] as const)
        await asIfNever(world, () => live(world, org, { purpose, shift, later, count }));
    }),
  );
  const details = await fc.check(property, {
    seed,
    numRuns: runs,
  });
  if (!details.failed) return { counts, counterexample: '' };
  return { counts, counterexample: `${String(details.errorInstance)}\n${fc.defaultReportMessage(details)}` };
}

interface Story {
  purpose: MadeLink['purpose'];
  shift: number;
  later: readonly Step[];
  count(what: string): void;
}

/** Everybody makes a link of somebody, things change, and then everybody uses the link they made. */
async function live(world: World, org: Organisation, { purpose, shift, later, count }: Story): Promise<void> {
  const links: MadeLink[] = [];
  for (const [at, person] of org.people.entries()) {
    const maker = pick(org.people, at + shift);
    const token = await make[purpose](world, org, maker, person);
    if (token === undefined) count(`${purpose}: refused`);
    else links.push({ maker, person, token, purpose });
  }
  // Links that are made anew would end these.
  for (const step of later) if (step.does !== 'invites a person') await take(world, org, step);
  for (const link of links)
    count(
      `${purpose}: ${(await asIfNever(world, () => opens(world, org, link))) ? 'opened' : 'closed since'}`,
    );
}

type Make = (world: World, org: Organisation, maker: string, person: string) => Promise<string | undefined>;

const make: Record<MadeLink['purpose'], Make> = {
  invite: async ({ context }, _org, maker, email) => {
    const answer = await context.call(keyOf(maker), 'team/member/invite', { email });
    return (answer as { url?: string }).url?.split('/').at(-1);
  },
  // Also by those who do not manage people: what is refused to nobody must still not give too much.
  reset: async ({ context }, { accountId }, maker, email) => {
    context.database.prepare("update member set state = 'active' where account_id = ?").run(accountId);
    const by = (await context.store.actors.byEmail(accountId, maker))!.memberId;
    const token = random.token();
    const link = { digest: digestOf(token), expireTime: context.store.now() + 60 };
    const made = await context.store.change('members/reset', { accountId, by, email, link, forget: false });
    return isFault(made) ? undefined : token;
  },
};

/** Whether a link opens, and throws where its maker would be somebody who holds more. */
async function opens(world: World, org: Organisation, { maker, person, token }: MadeLink): Promise<boolean> {
  const session = { digest: digestOf(random.token()), address: '', userAgent: '' };
  const entered = await world.context.store.change('members/sign-in', { digest: digestOf(token), session });
  if (isFault(entered)) return false;
  const rights = world.rightsOf(org);
  const gained = [...rights.get(person)!.difference(rights.get(maker)!)];
  if (gained.length > 0 && maker !== person)
    throw new Error(`${maker} acts as ${person} and so has ${gained.join()}`);
  return true;
}

parentPort?.postMessage(await search(workerData as Share));
