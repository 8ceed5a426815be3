/** `key create`: creates an API key for a person without needing another key. */
import { isFault } from '@drawbridge/contract/faults';
import { newKey } from '../compose/create-account.ts';
import { random } from '../edges/random.ts';
import { operatorAuditLine } from '../domain/audit.ts';
import type { Store } from '../store/store.ts';
import { isFailure, failWith, type AdminCommand, type Failure, type CommandOutcome } from './command.ts';
import { findPerson } from './find-people.ts';
import { withStore } from './store-access.ts';
import { timeText, toEmailOption, toExpiry, toId, toNameOption } from './values.ts';

interface KeyOptions {
  email: string;
  name: string;
  expires: string | undefined;
  accountId: number | undefined;
}

export const keyCreate: AdminCommand = {
  name: 'key create',
  says: 'Create an API key with the rights of a person.',
  options: {
    email: { takes: 'E', says: 'E-mail address of the person', required: true },
    name: { takes: 'N', says: 'What the key is for' },
    expires: {
      takes: 'WHEN',
      says: 'When it expires: a duration such as 30m, 12h, 90d or 1y, a date, or a Unix time',
    },
    account: { takes: 'ID', says: 'Account number, if the person belongs to several accounts' },
  },
  async run({ options }, context) {
    const email = toEmailOption(options['email']!);
    const name = toNameOption(options['name'] ?? 'API key');
    const accountId = options['account'] === undefined ? undefined : toId('account', options['account']);
    for (const value of [email, name, accountId]) if (isFailure(value)) return value;
    const values = { email, name, accountId, expires: options['expires'] } as KeyOptions;
    return withStore(context, (store) => create(store, values));
  },
};

async function create(
  store: Store,
  { email, name, expires, accountId }: KeyOptions,
): Promise<CommandOutcome | Failure> {
  const expireTime = expires === undefined ? null : toExpiry(expires, store.now());
  if (isFailure(expireTime)) return expireTime;
  const person = await findPerson(store, email, accountId);
  if (isFailure(person)) return person;
  const { apiKey, key } = newKey(random, name, expireTime);
  const outcome = await store.change(
    'keys/create',
    { accountId: person.accountId, memberId: person.id, key },
    operatorAuditLine(person.accountId, 'server/key-create', {
      email: person.email,
      name,
      expires: expireTime,
    }),
  );
  if (isFault(outcome)) return failWith(`${person.email} has just been removed.`);
  const { id } = outcome;
  const until = expireTime === null ? 'It does not expire.' : `It works until ${timeText(expireTime)}.`;
  return {
    data: { id, api_key: apiKey, email: person.email, expires: expireTime },
    says: `API key ${id} of ${person.email}, shown only now: ${apiKey}\n${until}`,
  };
}
