/** Random changes of people and their rights that lists of devices show. */
import { permissionIds } from '@drawbridge/contract/permissions';
import type { ChangeInput } from '@drawbridge/server/store/changes';
import {
  agentOf,
  gone,
  groupOf,
  idOf,
  personOf,
  without,
  type ShownChange,
  type Step,
  type StepContext,
} from './step-context.ts';
import { givePersonKey, addPerson } from './world.ts';

function grantOf(context: StepContext): ChangeInput<'access/add'> {
  const { account, draw, store } = context;
  const { accountId, ownerId: by, roles, departments } = account;
  const role = draw.pick(roles)!;
  const holder = draw.oneOf({ email: personOf(context).email }, { departmentId: idOf(context, departments) });
  const target = role.type === 'agent' ? { agentId: agentOf(context) } : { groupId: groupOf(context) };
  const until = draw.oneOf(undefined, undefined, store.now() + 1 + draw.below(60));
  return { accountId, by, holder, roleId: role.id, ...target, until };
}

function membershipOf(context: StepContext): ChangeInput<'departments/member-remove'> {
  const { accountId, departments } = context.account;
  return { accountId, id: idOf(context, departments), email: personOf(context).email };
}

export const rightsSteps: Pick<
  Record<ShownChange, Step>,
  | `members/${'invite' | 'remove'}`
  | `operators/${'add' | 'remove'}`
  | 'keys/revoke'
  | `roles/${'edit' | 'remove'}`
  | `access/${'add' | 'remove'}`
  | `departments/${'remove' | 'member-add' | 'member-remove'}`
> = {
  'members/invite': ({ account, run }) => addPerson(account, run),
  'members/remove': async (context) => {
    const { account, run } = context;
    const { accountId } = account;
    const { email } = personOf(context);
    await run('members/remove', { accountId, email });
    account.people = account.people.filter((person) => person.email !== email);
  },
  'operators/add': (context) =>
    context.run('operators/add', {
      member: { accountId: context.account.accountId, id: personOf(context).id },
    }),
  'operators/remove': async (context) => {
    const member = { accountId: context.account.accountId, id: personOf(context).id };
    await context.run('operators/add', { member });
    await context.run('operators/remove', { member, evenLast: true });
  },
  'keys/revoke': async (context) => {
    const { account, run, store, draw } = context;
    const { accountId } = account;
    const person = personOf(context);
    const key = draw.pick(await store.members.keys(accountId, person.id));
    await run('keys/revoke', { accountId, memberId: 'all', id: key?.id ?? gone });
    await givePersonKey(account, person, run);
  },
  'roles/edit': ({ account: { accountId, ownerId: by, roles }, draw, run }) =>
    run('roles/edit', {
      accountId,
      by,
      id: draw.pick(roles)!.id,
      permissions: permissionIds('agent').filter(() => draw.below(2) === 0),
    }),
  'roles/remove': async ({ account, draw, run }) => {
    const { accountId, roles } = account;
    const { id } = draw.pick(roles)!;
    await run('roles/remove', { accountId, id });
    account.roles = roles.filter((role) => role.id !== id);
  },
  'access/add': async (context) => {
    const grant = grantOf(context);
    if (await context.run('access/add', grant)) context.account.grants.push(grant);
  },
  'access/remove': async (context) => {
    const { account, draw, run } = context;
    const grant = draw.pick(account.grants) ?? grantOf(context);
    if (account.grants.length === 0) await run('access/add', grant);
    await run('access/remove', grant);
    account.grants = account.grants.filter((each) => each !== grant);
  },
  'departments/remove': async (context) => {
    const { account, run } = context;
    const { accountId, departments } = account;
    const id = idOf(context, departments);
    await run('departments/remove', { accountId, id });
    account.departments = without(departments, id);
  },
  'departments/member-add': async (context) => {
    const membership = membershipOf(context);
    await context.run('departments/member-add', { ...membership, by: context.account.ownerId });
    context.account.memberships.push(membership);
  },
  'departments/member-remove': async (context) => {
    const { account, draw, run } = context;
    const membership = draw.pick(account.memberships) ?? membershipOf(context);
    if (account.memberships.length === 0)
      await run('departments/member-add', { ...membership, by: account.ownerId });
    await run('departments/member-remove', membership);
    account.memberships = account.memberships.filter((each) => each !== membership);
  },
};
