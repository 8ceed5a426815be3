/** One step for each change that lists of devices show: a new one does not compile without its step. */
import { unique } from '../store/fixture.ts';
import { directorySteps } from './directory-steps.ts';
import { providerSteps } from './provider-steps.ts';
import { provisioningSteps } from './provisioning-steps.ts';
import { deviceSteps, sessionSteps } from './device-steps.ts';
import { accessRequestSteps } from './request-steps.ts';
import { rightsSteps } from './rights-steps.ts';
import { agentOf, gone, groupOf, without, type ShownChange, type Step } from './step-context.ts';

const accountSteps: Pick<
  Record<ShownChange, Step>,
  'accounts/settings' | 'plan/set' | `groups/${'edit' | 'remove' | 'policy'}` | `files/${'add' | 'remove'}`
> = {
  'accounts/settings': ({ account: { accountId }, draw, run }) =>
    run('accounts/settings', { accountId, policy: { onetime_url: draw.oneOf('allow', 'forbid') } }),
  'plan/set': ({ account: { accountId }, draw, run }) =>
    run('plan/set', {
      accountId,
      plan: { computers: draw.oneOf(null, 0, 2, 5), files: draw.oneOf(null, 0, 1, 3) },
    }),
  'groups/edit': (context) =>
    context.run('groups/edit', {
      accountId: context.account.accountId,
      id: groupOf(context),
      name: `Group ${context.draw.below(5)}`,
    }),
  'groups/remove': async (context) => {
    const id = groupOf(context);
    await context.run('groups/remove', { accountId: context.account.accountId, id });
    context.account.groups = without(context.account.groups, id);
  },
  'groups/policy': (context) =>
    context.run('groups/policy', {
      accountId: context.account.accountId,
      id: groupOf(context),
      policy: { onetime_url: context.draw.oneOf('inherit', 'allow', 'forbid') },
    }),
  'files/add': async (context) => {
    const { accountId, files } = context.account;
    const file = { name: 'a', size: 1, digest: '', type: '', note: '', author: '', blobKey: unique() };
    const added = await context.run('files/add', { accountId, agentId: agentOf(context), ...file });
    if (added) files.push(added.id);
  },
  'files/remove': ({ account: { accountId, files }, run }) =>
    run('files/remove', { accountId, id: files.shift() ?? gone }),
};

export const steps: Readonly<Record<ShownChange, Step>> = {
  ...rightsSteps,
  ...directorySteps,
  ...accessRequestSteps,
  ...providerSteps,
  ...provisioningSteps,
  ...accountSteps,
  ...deviceSteps,
  ...sessionSteps,
};
