/** Where the organisations of the model live: the service, and the rights of everybody in it. */
import { openMemoryContext, type MemoryContext } from './memory-context.ts';
import { found, inserter, keyOf, pick, rightsReader, type types } from './organisation.ts';
import type { Organisation, Plan } from './organisation.ts';
import { requestOf, type Step } from './steps.ts';

export interface World {
  context: MemoryContext;
  found(plan: Plan): Organisation;
  rightsOf(org: Organisation): Map<string, Set<string>>;
}

export async function openWorld(): Promise<World> {
  const context = await openMemoryContext();
  const [insert, rights] = [inserter(context.database), rightsReader(context.database)];
  let serial = 0;
  return {
    context,
    found: (plan) => found(insert, plan, (serial += 1)),
    rightsOf: ({ accountId, people }) => new Map(people.map((email) => [email, rights(accountId, email)])),
  };
}

/** Lets somebody do something, and tells who did what and how it ended. */
export async function take({ context }: World, org: Organisation, step: Step) {
  const actor = step.by === 'owner' ? org.owner : pick(org.people, step.by);
  const [id, params] = requestOf(org, step);
  const outcome = await context.call(keyOf(actor), id, params);
  if (id === 'team/role/create' && outcome.id !== undefined)
    org.roles.push({ id: outcome.id, type: params['type'] as (typeof types)[number] });
  const ended = outcome.fault === undefined ? 'done' : (outcome.code ?? outcome.fault);
  return { actor, id, params, ended };
}

/** Lives through something, and leaves nothing of it behind. */
export async function asIfNever<Result>(
  { context: { database } }: World,
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
