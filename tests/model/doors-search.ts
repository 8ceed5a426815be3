/** A search for a link that gives too much, in a thread of its own: random organisations, links shown, changes, links used. */
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import type { Actor } from '@drawbridge/server/domain/access';
import { certainDoors } from './certain.ts';
import { plans, steps } from './draws.ts';
import { keyOf, type Organisation } from './organisation.ts';
import type { Found, Share } from './search.ts';
import type { Step } from './steps.ts';
import { asIfNever, openWorld, take, type World } from './world.ts';

/** A link that somebody was shown, and what it leads to, in the words of rights. */
interface ShownLink {
  person: string;
  url: string;
  /** The letter of its path. */
  door: string;
  on: string;
}

const few = fc.array(steps, { maxLength: 4 });

async function search({ runs, seed }: Share): Promise<Found> {
  const world = await openWorld();
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const property = fc.asyncProperty(plans, few, few, (plan, first, then) =>
    asIfNever(world, () => live(world, world.found(plan), [first, then], count)),
  );
  const details = await fc.check(property, {
    seed,
    numRuns: certainDoors.length + runs,
    examples: certainDoors,
  });
  if (!details.failed) return { counts, counterexample: '' };
  return { counts, counterexample: `${String(details.errorInstance)}\n${fc.defaultReportMessage(details)}` };
}

type Rights = Map<string, Set<string>>;

async function live(
  world: World,
  org: Organisation,
  [first, then]: readonly [readonly Step[], readonly Step[]],
  count: (what: string) => void,
): Promise<void> {
  for (const step of first) await take(world, org, step);
  const before = world.rightsOf(org);
  const shown: ShownLink[] = [];
  for (const person of org.people) shown.push(...(await linksOf(world, org, person)));
  for (const step of then) await take(world, org, step);
  const rights = world.rightsOf(org);
  for (const link of shown) {
    const hasLess = before.get(link.person)!.size > rights.get(link.person)!.size;
    count(
      `${link.door}: ${(await opens(world, link, rights)) ? 'opened' : hasLess ? 'closed since' : 'closed'}`,
    );
    for (const other of link.door === 'o' ? org.people : []) {
      const caller = await world.context.store.actors.byEmail(org.accountId, other);
      if (caller && (await opens(world, link, rights, caller))) count('signed in: opened');
    }
  }
}

/**
 * Whether a link opens, and throws where it gives too much: somebody who is signed in comes in as themselves, or as
 * everybody with what the person holds whose link it is.
 */
async function opens(world: World, link: ShownLink, rights: Rights, caller?: Actor): Promise<boolean> {
  const { person, url, on } = link;
  const got = await asIfNever(world, () => world.context.visit(url, caller));
  const isWithin = (whose: string): boolean => got.every((each) => rights.get(whose)!.has(`${each} ${on}`));
  if (!isWithin(person) && !(caller && isWithin(caller.email)))
    throw new Error(`${caller?.email ?? 'somebody'} got ${got.join()} by ${url} of ${person}`);
  return got.length > 0;
}

/** Every link that a person is shown, in lists and when they ask for one. */
async function linksOf({ context }: World, org: Organisation, person: string): Promise<ShownLink[]> {
  const ask = async (id: Parameters<typeof context.call>[1], params: object): Promise<string[]> =>
    urlsIn(await context.call(keyOf(person), id, params));
  const links: ShownLink[] = [];
  const add = (urls: readonly string[], on: string): void =>
    void links.push(...urls.map((url) => ({ person, url, on, door: new URL(url).pathname.charAt(1) })));
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

/** Addresses that open a session; those with a password open for who knows it. */
const urlsIn = (reply: object): string[] =>
  JSON.stringify(reply).match(/https:\/\/localhost\/[tco]\/[\w.-]+/g) ?? [];

parentPort?.postMessage(await search(workerData as Share));
