/** The server itself, for server administrators. One function per row of contract/src/panel/server.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { server as table } from '@drawbridge/contract/panel/server';
import { operatorAuditLine } from '../../domain/audit.ts';
import { signInLifetime } from '../../domain/people/members.ts';
import { toNamedLimits, fromNamedLimits } from '../../domain/people/plan.ts';
import type { AccountUsage } from '../../store/people/account-records.ts';
import type { PanelHandlers } from '../handler.ts';

export const serverHandlers: PanelHandlers<typeof table> = {
  'server/accounts': async ({ input }, { store, now }) => {
    const { total, accounts } = await store.accounts.listUsage({ ...input, now: now() });
    return { total, data: accounts.map(view) };
  },

  'server/certificate': async (_, { renewalFailure }) => {
    const failure = renewalFailure();
    return failure ? { failure } : {};
  },

  'server/accounts/create': async ({ input: { email }, change }, { random, digestOf, now, publicUrl }) => {
    const token = random.token();
    const signIn = { digest: digestOf(token), expireTime: now() + signInLifetime };
    const created = await change('accounts/create', { email, signIn });
    return isFault(created)
      ? created
      : { account_id: created.accountId, url: `${publicUrl}/sign-in/${token}` };
  },

  'server/accounts/plan': async ({ input: { account_id: accountId, ...words } }, { store }) => {
    const plan = fromNamedLimits(words);
    if (Object.keys(plan).length === 0) return nothingSent;
    if (!(await store.accounts.exists(accountId))) return fault('not_found', { field: 'account_id' });
    // The account's own audit log records it, as it does when done on the server's machine.
    await store.change(
      'plan/set',
      { accountId, plan },
      operatorAuditLine(accountId, 'server/plan-set', toNamedLimits(plan)),
    );
    return {};
  },
};

const nothingSent = fault('invalid', { message: 'At least one limit is needed.' });

const view = ({ accountId, owner, createTime, members, online, plan, used }: AccountUsage) => ({
  account_id: accountId,
  owner,
  create_time: createTime,
  members,
  devices: used.computers,
  online,
  plan: toNamedLimits(plan),
  used: {
    computers: used.computers,
    invitations: used.invitations,
    files: used.files,
    requests: used.requests,
    recording_mb: used.recordingMb,
  },
});
