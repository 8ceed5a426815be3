/** A search for a step that gives too much, in a thread of its own: random organisations, random steps, real rules. */
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import { devicePermissions } from '@drawbridge/server/domain/sessions';
import { certainSteps } from './certain.ts';
import { plans, steps } from './draws.ts';
import type { Organisation } from './organisation.ts';
import type { Step } from './steps.ts';
import { asIfNever, openWorld, take, type World } from './world.ts';

const beyond = (after: Set<string>, before: Set<string>): string[] => [...after.difference(before)];
const inTeam = (rights: Iterable<string>): string[] =>
  [...rights].filter((right) => right.endsWith(' in team'));

export interface Found {
  /** The steps that gave too much, as short as they could be made; empty when there were none. */
  counterexample: string;
  /** How often each deed ended how. */
  counts: Map<string, number>;
}

/** What a thread is to look through: the certain cases, and as many others, drawn from the seed. */
export interface Share {
  runs: number;
  seed: number;
}

async function search({ runs, seed }: Share): Promise<Found> {
  const world = await openWorld();
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const property = fc.asyncProperty(plans, fc.array(steps, { minLength: 1, maxLength: 12 }), (plan, tries) =>
    asIfNever(world, () => live(world, world.found(plan), tries, count)),
  );
  const details = await fc.check(property, {
    seed,
    numRuns: certainSteps.length + runs,
    examples: certainSteps,
  });
  if (!details.failed) return { counts, counterexample: '' };
  return { counts, counterexample: `${String(details.errorInstance)}\n${fc.defaultReportMessage(details)}` };
}

/** Takes the steps one by one and throws, with the story so far, where one of them gave too much. */
async function live(
  world: World,
  org: Organisation,
  tries: readonly Step[],
  count: (what: string) => void,
): Promise<void> {
  const story: string[] = [];
  let before = world.rightsOf(org);
  for (const step of tries) {
    const { actor, id, params, ended } = await take(world, org, step);
    const after = world.rightsOf(org);
    if (step.by !== 'owner') count(`${step.does}: ${ended}`);
    story.push(`${actor} ${step.does}: ${id} ${JSON.stringify(params)}: ${ended}`);
    if (step.by !== 'owner') {
      const wrong = [
        ...excess(actor, before, after),
        ...(ended === 'done' ? takeover(actor, id, params, before) : []),
        ...(ended === 'done' ? byPassword(actor, id, params, before) : []),
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

/** Anyone who invites somebody holds the link with which that person signs in, and so could be that person. */
function takeover(
  actor: string,
  id: string,
  params: Record<string, unknown>,
  before: Map<string, Set<string>>,
): string[] {
  if (id !== 'team/member/invite') return [];
  const beyondActor = beyond(before.get(params['email'] as string)!, before.get(actor)!);
  return beyondActor.map((right) => `${actor} may sign in as ${String(params['email'])}, who holds ${right}`);
}

/** Whoever sets the password of a device could come in by it, with all that a session can allow. */
function byPassword(
  actor: string,
  id: string,
  params: Record<string, unknown>,
  before: Map<string, Set<string>>,
): string[] {
  if (id !== 'agents/update') return [];
  const all = new Set(devicePermissions.map((each) => `${each} on device ${String(params['id'])}`));
  return beyond(all, before.get(actor)!).map((right) => `${actor} knows a password that gives ${right}`);
}

parentPort?.postMessage(await search(workerData as Share));
