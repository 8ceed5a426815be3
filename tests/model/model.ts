/** The setting of the model's organisations: the service, and the permissions of everyone in it. */
import { openMemoryContext, type MemoryContext } from './memory-context.ts';
import { insertOrganisation, modelApiKey, pickAt, type types } from './organisation.ts';
import { isProviderStep, performProviderStep } from './provider-steps.ts';
import { createRightsReader } from './rights-reader.ts';
import { createRowInserter } from './row-inserter.ts';
import type { PerformedStep, Situation } from './situation.ts';
import type { Organisation, OrganisationPlan } from './organisation.ts';
import { toOperationRequest, type ModelStep } from './steps.ts';

export interface Model {
  context: MemoryContext;
  createOrganisation(plan: OrganisationPlan): Organisation;
  rightsOf(org: Organisation): Map<string, Set<string>>;
  situationOf(org: Organisation): Situation;
}

export async function openModel(): Promise<Model> {
  const context = await openMemoryContext();
  const [insert, read] = [createRowInserter(context.database), createRightsReader(context.database)];
  let serial = 0;
  const rightsOf: Model['rightsOf'] = ({ accountId, people }) =>
    new Map(people.map((email) => [email, read.ofPerson(accountId, email)]));
  return {
    context,
    createOrganisation: (plan) => insertOrganisation(insert, plan, (serial += 1)),
    rightsOf,
    situationOf: (org) => ({
      rights: rightsOf(org),
      memberships: read.memberships(org.accountId),
      rightsOfDepartment: (id) => read.ofDepartment(org.accountId, id),
    }),
  };
}

/** Lets a member do something, and returns who did what and how it ended. */
export async function performStep(model: Model, org: Organisation, step: ModelStep): Promise<PerformedStep> {
  const { context } = model;
  const actor = step.by === 'owner' ? org.owner : pickAt(org.people, step.by);
  const [id, params] = toOperationRequest(org, step);
  if (isProviderStep(id)) {
    const perform = () => performProviderStep(context, org, actor, [id, params]);
    // The model names people by their addresses, so that one that changed is changed back.
    const outcome = await (id === 'scim/address' ? withRollback(model, perform) : perform());
    return { actor, id, params, ...outcome };
  }
  const outcome = await context.call(modelApiKey(actor), id, params);
  if (id === 'team/role/create' && outcome.id !== undefined)
    org.roles.push({ id: outcome.id, type: params['type'] as (typeof types)[number] });
  if (id === 'team/access/request/create' && outcome.id !== undefined) org.requests.push(outcome.id);
  const ended = outcome.fault === undefined ? 'done' : (outcome.code ?? outcome.fault);
  return { actor, id, params, ended };
}

/** Runs something and rolls it back. */
export async function withRollback<Result>(
  { context: { database } }: Model,
  live: () => Promise<Result>,
): Promise<Result> {
  database.exec('savepoint lived');
  try {
    return await live();
  } finally {
    database.exec('rollback to lived');
    database.exec('release lived');
  }
}
