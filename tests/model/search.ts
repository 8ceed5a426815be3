/** A search for a step that gives too much, in a thread of its own: random organisations, random steps, real rules. */
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import type { RoleType } from '@drawbridge/contract/permissions';
import {
  keyOf,
  found,
  inserter,
  pick,
  rightsReader,
  types,
  type Organisation,
  type Plan,
} from './organisation.ts';
import { openMemoryHouse, type MemoryHouse } from './memory-house.ts';
import { deeds, requestOf, risky, type Deed, type Step } from './steps.ts';

/** A role of a type that permits at least the one thing, without which its holder can hardly try anything. */
const roleWith = (type: RoleType, bit: number) => fc.nat(7).map((mask) => ({ type, mask: mask | bit }));
const anyRole = fc.record({ type: fc.constantFrom(...types), mask: fc.nat(7) });
const mostlyFirst = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) });

const plans: fc.Arbitrary<Plan> = fc.record({
  people: fc.integer({ min: 2, max: 4 }),
  devices: fc.array(fc.nat(2), { minLength: 2, maxLength: 3 }),
  roles: fc.tuple(roleWith('team', 1), roleWith('group', 1), roleWith('agent', 2), anyRole, anyRole),
  grants: fc.array(fc.record({ role: fc.nat(4), to: mostlyFirst, on: fc.nat(2) }), {
    minLength: 3,
    maxLength: 9,
  }),
  departments: fc.tuple(fc.nat(15), fc.nat(15)),
});

/** What can give rights is tried more often than what only takes them. */
const anyDeed = fc.constantFrom(...(Object.keys(deeds) as Deed[]));
const riskyDeed = fc.constantFrom(...risky);

const steps: fc.Arbitrary<Step> = fc.record({
  by: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.nat(3) },
    { weight: 1, arbitrary: fc.constant('owner' as const) },
  ),
  does: fc.oneof(anyDeed, riskyDeed),
  a: fc.nat(7),
  b: fc.nat(7),
  c: fc.nat(2),
});

const beyond = (after: Set<string>, before: Set<string>): string[] => [...after.difference(before)];
const inTeam = (rights: Iterable<string>): string[] =>
  [...rights].filter((right) => right.endsWith(' in team'));

export interface Found {
  /** The steps that gave too much, as short as they could be made; empty when there were none. */
  counterexample: string;
  /** How often each deed ended how. */
  counts: Map<string, number>;
}

async function search(runs: number): Promise<Found> {
  const house = await openMemoryHouse();
  const world = worldOf(house);
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const property = fc.asyncProperty(
    plans,
    fc.array(steps, { minLength: 1, maxLength: 12 }),
    async (plan, tries) => {
      house.database.exec('begin');
      try {
        await live(world, world.found(plan), tries, count);
      } finally {
        house.database.exec('rollback');
      }
    },
  );
  const details = await fc.check(property, { numRuns: runs });
  if (!details.failed) return { counts, counterexample: '' };
  return { counts, counterexample: `${String(details.errorInstance)}\n${fc.defaultReportMessage(details)}` };
}

interface World {
  house: MemoryHouse;
  found(plan: Plan): Organisation;
  rightsOf(org: Organisation): Map<string, Set<string>>;
}

function worldOf(house: MemoryHouse): World {
  const [insert, rights] = [inserter(house.database), rightsReader(house.database)];
  let serial = 0;
  return {
    house,
    found: (plan) => found(insert, plan, (serial += 1)),
    rightsOf: ({ accountId, people }) => new Map(people.map((email) => [email, rights(accountId, email)])),
  };
}

/** Takes the steps one by one and throws, with the story so far, where one of them gave too much. */
async function live(
  { house, rightsOf }: World,
  org: Organisation,
  tries: readonly Step[],
  count: (what: string) => void,
): Promise<void> {
  const story: string[] = [];
  let before = rightsOf(org);
  for (const step of tries) {
    const actor = step.by === 'owner' ? org.owner : pick(org.people, step.by);
    const [id, params] = requestOf(org, step);
    const outcome = await house.call(keyOf(actor), id, params);
    if (id === 'team/role/create' && outcome.id !== undefined)
      org.roles.push({ id: outcome.id, type: params['type'] as (typeof types)[number] });
    const after = rightsOf(org);
    const ended = outcome.fault === undefined ? 'done' : (outcome.code ?? outcome.fault);
    if (step.by !== 'owner') count(`${step.does}: ${ended}`);
    story.push(`${actor} ${step.does}: ${id} ${JSON.stringify(params)}: ${ended}`);
    if (step.by !== 'owner') {
      const wrong = [
        ...excess(actor, before, after),
        ...(ended === 'done' ? takeover(actor, id, params, before) : []),
      ];
      if (wrong.length > 0) throw new Error([...wrong, ...story].join('\n'));
    }
    before = after;
  }
}

/** What a step gave that it must not give. */
function excess(actor: string, before: Map<string, Set<string>>, after: Map<string, Set<string>>): string[] {
  const held = before.get(actor)!;
  return [...after].flatMap(([person, rights]) => {
    const gained = beyond(rights, before.get(person)!);
    const wrong = person === actor ? gained : inTeam(gained).filter((right) => !held.has(right));
    return wrong.map((right) => `${person} gained ${right} from ${actor}`);
  });
}

/** Whoever invites somebody holds the link with which that person signs in, and so could be that person. */
function takeover(
  actor: string,
  id: string,
  params: Record<string, unknown>,
  before: Map<string, Set<string>>,
): string[] {
  if (id !== 'team/member/invite') return [];
  const beyondActor = inTeam(beyond(before.get(params['email'] as string)!, before.get(actor)!));
  return beyondActor.map((right) => `${actor} may sign in as ${String(params['email'])}, who holds ${right}`);
}

parentPort?.postMessage(await search(workerData as number));
