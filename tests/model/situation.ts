/** A moment in an organisation of the model, the step that led to it, and what the model then knows of identity providers. */
import type { Organisation } from './organisation.ts';
import type { StepId } from './steps.ts';

export interface Situation {
  /** What every member may do, as if nobody were disabled. */
  rights: Map<string, Set<string>>;
  /** The departments of everybody in the account. */
  memberships: Map<string, Set<number>>;
  rightsOfDepartment(id: number): Set<string>;
}

export interface PerformedStep {
  actor: string;
  id: StepId;
  params: Record<string, unknown>;
  ended: string;
  signedIn?: string | undefined;
}

type Note = (org: Organisation, step: PerformedStep) => void;

const isSameMapping =
  ({ group, department_id }: Record<string, unknown>) =>
  (mapping: { group: string; department: number }): boolean =>
    mapping.group === group && mapping.department === department_id;

/** What a step that was done changes in what the model knows. */
const notes: Partial<Record<StepId, Note>> = {
  'scim/active': ({ known }, { params }) => {
    const email = params['email'] as string;
    if (params['active']) known.disabled.delete(email);
    else known.disabled.add(email);
  },
  'team/member/remove': ({ known }, { params }) => {
    const email = params['email'] as string;
    known.disabled.delete(email);
    known.bound.delete(email);
    for (const mapping of known.mappings) if (mapping.by === email) mapping.by = '';
  },
  'team/provider/group/add': ({ known }, { actor, params }) => {
    const given = known.mappings.filter((mapping) => !isSameMapping(params)(mapping));
    const { group, department_id } = params as { group: string; department_id: number };
    known.mappings = [...given, { group, department: department_id, by: actor }];
  },
  'team/provider/group/remove': ({ known }, { params }) => {
    known.mappings = known.mappings.filter((mapping) => !isSameMapping(params)(mapping));
  },
  'team/provider/update': ({ known, owner }, { actor, params }) => {
    const { adopt, client_id } = params as { adopt: boolean; client_id: string };
    const decides = client_id !== known.clientId || (adopt && !known.adopts);
    if (decides || actor === owner) known.responsible = actor;
    Object.assign(known, { adopts: adopt, clientId: client_id });
  },
  'sign-in/sso': ({ known }, { actor }) => void known.bound.add(actor),
};

/** Adds a step to what the model knows. */
export function noteStep(org: Organisation, step: PerformedStep, before: Situation, after: Situation): void {
  const { known } = org;
  if (step.ended === 'done') notes[step.id]?.(org, step);
  const departmentsOf = ({ memberships }: Situation, email: string): Set<number> =>
    memberships.get(email) ?? new Set();
  if (step.id === 'sign-in/sso') {
    const joined = departmentsOf(after, step.actor).difference(departmentsOf(before, step.actor));
    known.brought.set(step.actor, joined.union(known.brought.get(step.actor) ?? new Set()));
  }
  for (const [email, departments] of known.brought)
    known.brought.set(email, departments.intersection(departmentsOf(after, email)));
}
