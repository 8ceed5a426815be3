/** `plan set`: the limits of an account. */
import type { Plan } from '../domain/plan.ts';
import type { Store } from '../store/store.ts';
import { isFailure, misuse, type Command, type Failure, type Outcome } from './command.ts';
import { operatorLine, ownerWith } from './people.ts';
import { withStore } from './place.ts';
import { toEmail, toLimit } from './values.ts';

/** Option → the plan's own word for it, and what it limits. */
const limits = {
  computers: { of: 'computers', says: 'Devices that can be connected to' },
  invitations: { of: 'invitations', says: 'Invitations per month' },
  files: { of: 'files', says: 'Attached files' },
  requests: { of: 'requests', says: 'Requests per hour' },
  recording_mb: { of: 'recordingMb', says: 'Recordings in MB' },
} as const satisfies Record<string, { of: keyof Plan; says: string }>;

const names = Object.keys(limits) as (keyof typeof limits)[];

export const planSet: Command = {
  name: 'plan set',
  says: 'Set limits of an account: a number, or unlimited. The others stay as they are.',
  options: {
    email: { takes: 'E', says: 'Address of the owner of the account', required: true },
    ...Object.fromEntries(names.map((name) => [name, { takes: 'N', says: limits[name].says }])),
  },
  async run({ options }, world) {
    const email = toEmail(options['email']!);
    if (isFailure(email)) return email;
    const plan: Partial<Plan> = {};
    for (const name of names) {
      const text = options[name];
      const limit = text === undefined ? undefined : toLimit(name, text);
      if (isFailure(limit)) return limit;
      if (limit !== undefined) plan[limits[name].of] = limit;
    }
    if (Object.keys(plan).length === 0)
      return misuse(`plan set needs at least one of ${names.map((name) => `--${name}`).join(', ')}.`);
    return withStore(world, (store) => set(store, email, plan));
  },
};

async function set(store: Store, email: string, plan: Partial<Plan>): Promise<Outcome | Failure> {
  const owner = await ownerWith(store, email);
  if (isFailure(owner)) return owner;
  const { accountId } = owner;
  await store.change('plan/set', { accountId, plan }, operatorLine(accountId, 'plan-set', inWords(plan)));
  const whole = inWords(await store.plan.of(accountId));
  const lines = Object.entries(whole).map(([name, limit]) => `  ${name}: ${limit ?? 'unlimited'}`);
  return {
    data: { account_id: accountId, email: owner.email, plan: whole },
    says: [`The plan of account ${accountId} (${owner.email}):`, ...lines].join('\n'),
  };
}

/** The plan by the names of the options; null is unlimited. */
const inWords = (plan: Partial<Plan>): Record<string, number | null> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const limit = plan[limits[name].of];
      return limit === undefined ? [] : [[name, limit]];
    }),
  );
