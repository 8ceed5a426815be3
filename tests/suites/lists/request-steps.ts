/** Random requests for access, and the grants that they become for a while. */
import type { ChangeInput } from '@drawbridge/server/store/changes';
import {
  agentOf,
  gone,
  groupOf,
  personOf,
  type ShownChange,
  type Step,
  type StepContext,
} from './step-context.ts';

/** Somebody asks for a role on a device or group, which they mostly see. */
async function wantedBy(context: StepContext): Promise<ChangeInput<'requests/create'>> {
  const { account, draw, run } = context;
  const { accountId, ownerId: by } = account;
  const person = personOf(context);
  const role = draw.pick(account.roles)!;
  const target = role.type === 'agent' ? { agentId: agentOf(context) } : { groupId: groupOf(context) };
  const look = await run('roles/create', {
    accountId,
    name: 'Look',
    type: role.type,
    description: '',
    permissions: ['agent_chat'],
  });
  const sees = { accountId, by, holder: { email: person.email }, roleId: look!.id, ...target };
  if (draw.below(4) > 0) await run('access/add', sees);
  const asked = { reason: 'a reason', minutes: 1 + draw.below(5) };
  return { accountId, memberId: person.id, roleId: role.id, ...target, ...asked };
}

async function approved(context: StepContext): Promise<number> {
  const { accountId, ownerId: by } = context.account;
  const asked = await context.run('requests/create', await wantedBy(context));
  const id = asked?.id ?? gone;
  await context.run('requests/approve', { accountId, by, id });
  return id;
}

export const accessRequestSteps: Pick<
  Record<ShownChange, Step>,
  `requests/${'approve' | 'emergency' | 'cancel' | 'sweep'}`
> = {
  'requests/approve': approved,
  'requests/emergency': async (context) => {
    const { accountId, ownerId: by } = context.account;
    await context.run('requests/settings', { accountId, by, emergency: true });
    await context.run('requests/emergency', await wantedBy(context));
  },
  'requests/cancel': async (context) => {
    const { accountId, ownerId: by } = context.account;
    await context.run('requests/cancel', { accountId, by, id: await approved(context) });
  },
  'requests/sweep': ({ run }) => run('requests/sweep', { createdBefore: 0 }),
};
