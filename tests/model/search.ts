/**
 * A search for a step that gives too much, in a separate thread: random organisations, random steps, real
 * rules.
 */
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import { devicePermissions } from '@drawbridge/server/domain/sessions/sessions';
import { fixedStepCases } from './fixed-cases.ts';
import { planWithOperator, stepArbitrary } from './arbitraries.ts';
import { signInsByDirectory, wrongSignIns } from './directory-sign-ins.ts';
import type { Organisation } from './organisation.ts';
import type { ModelStep } from './steps.ts';
import { withRollback, openModel, performStep, type Model } from './model.ts';
import { accessOfDisabled, effectsOf, wrongByProviders } from './provider-checks.ts';
import { noteStep, type PerformedStep } from './situation.ts';

const rightsBeyond = (after: Set<string>, before: Set<string>): string[] => [...after.difference(before)];
const inTeam = (rights: Iterable<string>): string[] =>
  [...rights].filter((right) => right.endsWith(' in team'));

export interface SearchResult {
  /** The steps that gave too much, minimised; empty if there were none. */
  counterexample: string;
  /** How often each action ended how. */
  counts: Map<string, number>;
}

/** What one of several threads has to search: its share of the fixed cases, and as many others, generated from the seed. */
export interface SearchTask {
  runs: number;
  seed: number;
  index: number;
  threads: number;
}

async function search({ runs, seed, index, threads }: SearchTask): Promise<SearchResult> {
  const model = await openModel();
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const property = fc.asyncProperty(
    planWithOperator,
    fc.array(stepArbitrary, { minLength: 1, maxLength: 12 }),
    (plan, tries) => withRollback(model, () => runSteps(model, model.createOrganisation(plan), tries, count)),
  );
  const examples = fixedStepCases.filter((_case, place) => place % threads === index);
  const details = await fc.check(property, {
    seed,
    numRuns: examples.length + runs,
    examples,
  });
  if (!details.failed) return { counts, counterexample: '' };
  return { counts, counterexample: `${String(details.errorInstance)}\n${fc.defaultReportMessage(details)}` };
}

/** Takes the steps one by one; throws, with the steps so far, if one of them gave too much. */
async function runSteps(
  model: Model,
  org: Organisation,
  tries: readonly ModelStep[],
  count: (what: string) => void,
): Promise<void> {
  const performed: string[] = [];
  let before = model.situationOf(org);
  let setter = org.owner;
  for (const step of tries) {
    const done = await performStep(model, org, step);
    const { actor, id, params, ended } = done;
    const after = model.situationOf(org);
    if (step.by !== 'owner') count(`${step.does}: ${ended}`);
    performed.push(`${actor} ${step.does}: ${id} ${JSON.stringify(params)}: ${ended}`);
    const wrong = [
      ...(step.by === 'owner' ? [] : wrongByMember(done, before.rights, after.rights)),
      ...wrongByProviders(org, done, before, after),
    ];
    if (wrong.length > 0) throw new Error([...wrong, ...performed].join('\n'));
    for (const what of effectsOf(org, done, before, after)) count(what);
    noteStep(org, done, before, after);
    if (step.does === 'sets up a directory' && ended === 'done') setter = actor;
    before = after;
  }
  const disabled = await accessOfDisabled(model.context, org);
  if (disabled.length > 0) throw new Error([...disabled, ...performed].join('\n'));
  if (org.known.disabled.size > 0) count('a disabled person is refused');
  const open = await signInsByDirectory(model, org);
  if (open.length > 0) count('a directory signs in');
  const signIns = wrongSignIns(open, org, setter);
  if (signIns.length > 0) throw new Error([...signIns, ...performed].join('\n'));
}

/** What a step of anyone but the owner gave that it must not give. */
function wrongByMember(
  { actor, id, params, ended }: PerformedStep,
  before: Map<string, Set<string>>,
  after: Map<string, Set<string>>,
): string[] {
  // Groups give people what those who mapped them may give, see wrongByProviders.
  if (id === 'sign-in/sso') return [];
  return [
    ...excess(actor, before, id === 'team/access/emergency' ? lastingOf(after) : after),
    ...(ended === 'done' ? takeover(actor, id, params, before) : []),
    ...(ended === 'done' ? passwordAccess(actor, id, params, before) : []),
  ];
}

/** An emergency gives rights that nobody gave, where the owner allows it; none that last, and none in the team. */
const lastingOf = (rights: Map<string, Set<string>>): Map<string, Set<string>> =>
  new Map(
    [...rights].map(([person, all]) => [
      person,
      new Set([...all].filter((right) => right.startsWith('lasting ') || right.endsWith(' in team'))),
    ]),
  );

/** What a step gave that it must not give. */
function excess(actor: string, before: Map<string, Set<string>>, after: Map<string, Set<string>>): string[] {
  const held = before.get(actor)!;
  return [...after].flatMap(([person, rights]) => {
    const gained = rightsBeyond(rights, before.get(person)!);
    const wrong = person === actor ? gained : inTeam(gained).filter((right) => !held.has(right));
    return wrong.map((right) => `${person} gained ${right} from ${actor}`);
  });
}

/**
 * Anyone who invites a member holds the link with which that member signs in, and anyone who changes their address receives
 * what is sent to them, and so could be that member.
 */
function takeover(
  actor: string,
  id: string,
  params: Record<string, unknown>,
  before: Map<string, Set<string>>,
): string[] {
  if (id !== 'team/member/invite' && id !== 'scim/address') return [];
  const beyondActor = rightsBeyond(before.get(params['email'] as string)!, before.get(actor)!);
  return beyondActor.map((right) => `${actor} may sign in as ${String(params['email'])}, who holds ${right}`);
}

/** Anyone who sets the password of a device could use it, with everything a session can allow. */
function passwordAccess(
  actor: string,
  id: string,
  params: Record<string, unknown>,
  before: Map<string, Set<string>>,
): string[] {
  if (id !== 'agents/update') return [];
  const all = new Set(devicePermissions.map((each) => `lasting ${each} on device ${String(params['id'])}`));
  return rightsBeyond(all, before.get(actor)!).map(
    (right) => `${actor} knows a password that gives ${right}`,
  );
}

parentPort?.postMessage(await search(workerData as SearchTask));
