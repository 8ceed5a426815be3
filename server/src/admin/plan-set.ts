/** `plan set`: the limits of an account. */
import { operatorAuditLine } from '../domain/audit.ts';
import { toNamedLimits, fromNamedLimits, type LimitName, type Plan } from '../domain/plan.ts';
import type { Store } from '../store/store.ts';
import { isFailure, misuse, type Command, type Failure, type Outcome } from './command.ts';
import { ownerWith } from './people.ts';
import { withStore } from './place.ts';
import { toEmail, toLimit } from './values.ts';

/** What each option limits. */
const limits: Record<LimitName, string> = {
  computers: 'Devices that people can connect to',
  invitations: 'Invitations per month',
  files: 'Attached files',
  requests: 'Requests per hour',
  recording_mb: 'Recordings in MB',
};

const names = Object.keys(limits) as LimitName[];

export const planSet: Command = {
  name: 'plan set',
  says: 'Set limits of an account to a number or to unlimited. Other limits do not change.',
  options: {
    email: { takes: 'E', says: 'E-mail address of the account owner', required: true },
    ...Object.fromEntries(names.map((name) => [name, { takes: 'N', says: limits[name] }])),
  },
  async run({ options }, world) {
    const email = toEmail(options['email']!);
    if (isFailure(email)) return email;
    const words: Partial<Record<LimitName, number | null>> = {};
    for (const name of names) {
      const text = options[name];
      const limit = text === undefined ? undefined : toLimit(name, text);
      if (isFailure(limit)) return limit;
      if (limit !== undefined) words[name] = limit;
    }
    if (Object.keys(words).length === 0)
      return misuse(`plan set needs at least one of ${names.map((name) => `--${name}`).join(', ')}.`);
    return withStore(world, (store) => set(store, email, fromNamedLimits(words)));
  },
};

async function set(store: Store, email: string, plan: Partial<Plan>): Promise<Outcome | Failure> {
  const owner = await ownerWith(store, email);
  if (isFailure(owner)) return owner;
  const { accountId } = owner;
  await store.change(
    'plan/set',
    { accountId, plan },
    operatorAuditLine(accountId, 'plan-set', toNamedLimits(plan)),
  );
  const whole = toNamedLimits(await store.plan.of(accountId));
  const lines = Object.entries(whole).map(([name, limit]) => `  ${name}: ${limit ?? 'unlimited'}`);
  return {
    data: { account_id: accountId, email: owner.email, plan: whole },
    says: [`The plan of account ${accountId} (${owner.email}):`, ...lines].join('\n'),
  };
}
