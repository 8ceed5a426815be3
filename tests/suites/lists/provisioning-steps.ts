/** Random changes by identity providers, which give and take the rights of people and departments. */
import { someUser } from '../store/people/provisioning-fixture.ts';
import { unique } from '../store/fixture.ts';
import { agentOf, groupOf, personOf, type ShownChange, type Step, type StepContext } from './step-context.ts';

const callerOf = async ({ account }: StepContext) => ({
  accountId: account.accountId,
  tokenId: await account.made.scimToken(),
});

type Caller = Awaited<ReturnType<typeof callerOf>>;

const forget = ({ run }: StepContext, { accountId, tokenId }: Caller) =>
  run('scim/token-remove', { accountId, id: tokenId });

/** A department of an identity provider with a grant. */
async function grantedGroup(context: StepContext, caller: Caller): Promise<number> {
  const { account, draw, run } = context;
  const { accountId, ownerId: by } = account;
  const group = await run('scim/group-create', { ...caller, edit: { name: unique(), members: [] } });
  const role = draw.pick(account.roles)!;
  const target = role.type === 'agent' ? { agentId: agentOf(context) } : { groupId: groupOf(context) };
  await run('access/add', { accountId, by, holder: { departmentId: group!.id }, roleId: role.id, ...target });
  return group!.id;
}

export const provisioningSteps: Pick<
  Record<ShownChange, Step>,
  `scim/${'user' | 'group'}-${'create' | 'update' | 'remove'}`
> = {
  'scim/user-create': async (context) => {
    const caller = await callerOf(context);
    await context.run('scim/user-create', { ...caller, content: someUser(`${unique()}@example.com`) });
    await forget(context, caller);
  },
  'scim/user-update': async (context) => {
    const caller = await callerOf(context);
    const { id, email } = personOf(context);
    for (const active of [false, true])
      await context.run('scim/user-update', {
        ...caller,
        id,
        edit: { content: someUser(email, { active }) },
      });
    await forget(context, caller);
  },
  'scim/user-remove': async (context) => {
    const caller = await callerOf(context);
    const { id, email } = personOf(context);
    await context.run('scim/user-remove', { ...caller, id });
    if (context.draw.below(4) > 0)
      await context.run('scim/user-create', { ...caller, content: someUser(email, { active: true }) });
    await forget(context, caller);
  },
  'scim/group-create': async (context) => {
    const caller = await callerOf(context);
    await grantedGroup(context, caller);
    await forget(context, caller);
  },
  'scim/group-update': async (context) => {
    const caller = await callerOf(context);
    const id = await grantedGroup(context, caller);
    const members = [{ kind: 'set', ids: [personOf(context).id] }] as const;
    await context.run('scim/group-update', { ...caller, id, edit: { members } });
    await forget(context, caller);
  },
  'scim/group-remove': async (context) => {
    const caller = await callerOf(context);
    const id = await grantedGroup(context, caller);
    const members = [{ kind: 'add', ids: [personOf(context).id] }] as const;
    await context.run('scim/group-update', { ...caller, id, edit: { members } });
    await context.run('scim/group-remove', { ...caller, id });
    await forget(context, caller);
  },
};
