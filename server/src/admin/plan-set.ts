/** `plan set`: sets the limits of an account. */
import { operatorAuditLine } from '../domain/audit.ts';
import { toNamedLimits, fromNamedLimits, type LimitName, type Plan } from '../domain/people/plan.ts';
import type { Store } from '../store/store.ts';
import { isFailure, usageError, type AdminCommand, type Failure, type CommandOutcome } from './command.ts';
import { findOwner } from './find-people.ts';
import { withStore } from './store-access.ts';
import { toEmailOption, toLimit } from './values.ts';

/** What each option limits. */
const limits: Record<LimitName, string> = {
  computers: 'Devices that people can connect to',
  invitations: 'Invitations per month',
  files: 'Attached files',
  requests: 'Requests per hour',
  recording_mb: 'Recordings in MB',
};

const names = Object.keys(limits) as LimitName[];

export const planSet: AdminCommand = {
  name: 'plan set',
  says: 'Set limits of an account to a number or to unlimited. Other limits do not change.',
  options: {
    email: { takes: 'E', says: 'E-mail address of the account owner', required: true },
    ...Object.fromEntries(names.map((name) => [name, { takes: 'N', says: limits[name] }])),
  },
  async run({ options }, context) {
    const email = toEmailOption(options['email']!);
    if (isFailure(email)) return email;
    const given: Partial<Record<LimitName, number | null>> = {};
    for (const name of names) {
      const text = options[name];
      const limit = text === undefined ? undefined : toLimit(name, text);
      if (isFailure(limit)) return limit;
      if (limit !== undefined) given[name] = limit;
    }
    if (Object.keys(given).length === 0)
      return usageError(`plan set needs at least one of ${names.map((name) => `--${name}`).join(', ')}.`);
    return withStore(context, (store) => set(store, email, fromNamedLimits(given)));
  },
};

async function set(store: Store, email: string, plan: Partial<Plan>): Promise<CommandOutcome | Failure> {
  const owner = await findOwner(store, email);
  if (isFailure(owner)) return owner;
  const { accountId } = owner;
  await store.change(
    'plan/set',
    { accountId, plan },
    operatorAuditLine(accountId, 'server/plan-set', toNamedLimits(plan)),
  );
  const whole = toNamedLimits(await store.plan.of(accountId));
  const lines = Object.entries(whole).map(([name, limit]) => `  ${name}: ${limit ?? 'unlimited'}`);
  return {
    data: { account_id: accountId, email: owner.email, plan: whole },
    says: [`The plan of account ${accountId} (${owner.email}):`, ...lines].join('\n'),
  };
}
