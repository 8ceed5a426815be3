/** What steps of identity providers may change, as the model computes it from what it knows of them. */
import type { MemoryContext } from './memory-context.ts';
import { modelApiKey, type Organisation } from './organisation.ts';
import { isProviderStep, performProviderStep } from './provider-steps.ts';
import type { PerformedStep, Situation } from './situation.ts';

interface Change {
  email: string;
  department: number;
  joined: boolean;
}

const departmentsOf = ({ memberships }: Situation, email: string): ReadonlySet<number> =>
  memberships.get(email) ?? new Set();

/** Who joined and left which department. */
function changesOf(before: Situation, after: Situation): Change[] {
  const everybody = new Set([...before.memberships.keys(), ...after.memberships.keys()]);
  return [...everybody].flatMap((email) => {
    const [had, has] = [departmentsOf(before, email), departmentsOf(after, email)];
    return [
      ...[...has.difference(had)].map((department) => ({ email, department, joined: true })),
      ...[...had.difference(has)].map((department) => ({ email, department, joined: false })),
    ];
  });
}

/** The mappings that count for these groups: none of departments that a directory or another account decides. */
function mappingsFor({ known, departments }: Organisation, groups: unknown) {
  const [first, second, _imported, provisioned] = departments;
  return known.mappings.filter(
    ({ group, department }) =>
      (groups as string[]).includes(group) && [first, second, provisioned].includes(department),
  );
}

/** Whether a step of an identity provider may have changed a membership in this way. */
function isExpected(org: Organisation, step: PerformedStep, change: Change): boolean {
  const { email, department, joined } = change;
  const { actor, id, params, ended } = step;
  if (ended !== 'done') return false;
  if (id === 'scim/group') {
    const [, , , provisioned] = org.departments;
    return department === provisioned && email === params['email'] && joined === params['joins'];
  }
  if (id !== 'sign-in/sso' || email !== actor || actor === org.owner) return false;
  const isMapped = mappingsFor(org, params['groups']).some((each) => each.department === department);
  return joined ? isMapped : !isMapped && org.known.brought.get(actor)?.has(department) === true;
}

/** Whether the person who maps a group gives this right with it. Nobody gives themselves anything, nor team permissions that they lack. */
function gives(
  { known, owner }: Organisation,
  before: Situation,
  { by, to }: { by: string; to: string },
  right: string,
): boolean {
  if (by === owner) return true;
  if (by === '' || by === to || known.disabled.has(by)) return false;
  return !right.endsWith(' in team') || before.rights.get(by)!.has(right);
}

/** Every right that somebody gained must come from a department that they joined; at a sign-in, from somebody who may give it. */
function wrongGains(org: Organisation, step: PerformedStep, before: Situation, after: Situation): string[] {
  const { id, params, actor } = step;
  const joins = changesOf(before, after).filter(({ joined }) => joined);
  const isGiven = (email: string, right: string): boolean =>
    joins.some(
      ({ email: who, department }) =>
        who === email &&
        after.rightsOfDepartment(department).has(right) &&
        (id !== 'sign-in/sso' ||
          mappingsFor(org, params['groups']).some(
            (each) => each.department === department && gives(org, before, { by: each.by, to: actor }, right),
          )),
    );
  return [...after.rights].flatMap(([email, rights]) =>
    [...rights.difference(before.rights.get(email)!)]
      .filter((right) => !isGiven(email, right))
      .map((right) => `${email} gained ${right}, which nobody gave`),
  );
}

/** Departments to which the groups of a sign-in no longer lead. */
function staleMemberships(
  org: Organisation,
  { actor, id, params, ended }: PerformedStep,
  after: Situation,
): string[] {
  if (id !== 'sign-in/sso' || ended !== 'done') return [];
  const mapped = new Set(mappingsFor(org, params['groups']).map(({ department }) => department));
  const stale = (org.known.brought.get(actor) ?? new Set()).difference(mapped);
  return [...stale.intersection(departmentsOf(after, actor))].map(
    (department) => `${actor} is still in department ${department}, which the groups no longer give`,
  );
}

/** What the person who answers for the provider gets with it: they could sign in as those whom it signs in from now on. */
function wrongTrust(org: Organisation, step: PerformedStep, before: Situation): string[] {
  const { known, owner, operator } = org;
  const { actor, id, params, ended } = step;
  const beyond = (email: string, responsible: string): string[] => {
    if (responsible === owner || email === responsible) return [];
    if (email === owner || email === operator) return [`${responsible} decides who signs in as ${email}`];
    return [...before.rights.get(email)!.difference(before.rights.get(responsible)!)].map(
      (right) => `${responsible} decides who signs in as ${email}, who holds ${right}`,
    );
  };
  if (ended !== 'done') return [];
  if (id === 'sign-in/sso' && !known.bound.has(actor)) return beyond(actor, known.responsible);
  if (id === 'team/provider/update' && params['client_id'] !== known.clientId)
    return [...known.bound].flatMap((email) => beyond(email, actor));
  return [];
}

/** Everything that a step did and must not do. */
export function wrongByProviders(
  org: Organisation,
  step: PerformedStep,
  before: Situation,
  after: Situation,
): string[] {
  const { actor, id, ended, signedIn } = step;
  const wrong = wrongTrust(org, step, before);
  if (ended === 'done' && org.known.disabled.has(actor)) wrong.push(`${actor} is disabled and did something`);
  if (!isProviderStep(id)) return wrong;
  if (signedIn !== undefined && signedIn !== actor) wrong.push(`${actor} signed in as ${signedIn}`);
  const changes = changesOf(before, after).filter((change) => !isExpected(org, step, change));
  return [
    ...wrong,
    ...changes.map((change) => `not to be changed: ${JSON.stringify(change)}`),
    ...wrongGains(org, step, before, after),
    ...staleMemberships(org, step, after),
  ];
}

/** What groups and sign-ins did, so that a search can show that it saw each. */
export function effectsOf(
  { known }: Organisation,
  { actor, id, ended }: PerformedStep,
  before: Situation,
  after: Situation,
): string[] {
  if (id !== 'sign-in/sso' || ended !== 'done') return [];
  const changes = changesOf(before, after);
  return [
    ...(changes.some(({ joined }) => joined) ? ['groups bring somebody into a department'] : []),
    ...(changes.some(({ joined }) => !joined) ? ['groups take somebody out of a department'] : []),
    ...(known.bound.has(actor) ? [] : ['a provider recognises somebody']),
  ];
}

/** What those whom SCIM disabled can still do, with everything that they have. */
export async function accessOfDisabled(context: MemoryContext, org: Organisation): Promise<string[]> {
  const open: string[] = [];
  for (const email of org.known.disabled) {
    const actor = await context.store.actors.byEmail(org.accountId, email);
    if (actor && actor.grants.length > 0) open.push(`${email} is disabled and holds rights`);
    const { fault } = await context.call(modelApiKey(email), 'agents/list', {});
    if (fault === undefined) open.push(`${email} is disabled and uses a key`);
    const { ended } = await performProviderStep(context, org, email, ['sign-in/sso', { groups: [] }]);
    if (ended === 'done') open.push(`${email} is disabled and signs in`);
    const other = { id: org.departments[3], email, joins: true };
    const provisioned = await performProviderStep(context, org, email, ['scim/group', other]);
    if (provisioned.ended === 'done') open.push(`${email} is disabled and their token works`);
  }
  return open;
}
