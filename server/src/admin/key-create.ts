/** `key create`: an API key for a person, made without asking for another key. */
import { isFault } from '@drawbridge/contract/faults';
import { newKey } from '../accounts.ts';
import { random } from '../random.ts';
import { operatorAuditLine } from '../domain/audit.ts';
import type { Store } from '../store/store.ts';
import { isFailure, refuse, type Command, type Failure, type Outcome } from './command.ts';
import { personWith } from './people.ts';
import { withStore } from './place.ts';
import { timeText, toEmail, toExpiry, toId, toName } from './values.ts';

interface Wish {
  email: string;
  name: string;
  expires: string | undefined;
  accountId: number | undefined;
}

export const keyCreate: Command = {
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
  async run({ options }, world) {
    const email = toEmail(options['email']!);
    const name = toName(options['name'] ?? 'API key');
    const accountId = options['account'] === undefined ? undefined : toId('account', options['account']);
    for (const value of [email, name, accountId]) if (isFailure(value)) return value;
    const wish = { email, name, accountId, expires: options['expires'] } as Wish;
    return withStore(world, (store) => create(store, wish));
  },
};

async function create(store: Store, { email, name, expires, accountId }: Wish): Promise<Outcome | Failure> {
  const expireTime = expires === undefined ? null : toExpiry(expires, store.now());
  if (isFailure(expireTime)) return expireTime;
  const person = await personWith(store, email, accountId);
  if (isFailure(person)) return person;
  const { apiKey, key } = newKey(random, name, expireTime);
  const outcome = await store.change(
    'keys/create',
    { accountId: person.accountId, memberId: person.id, key },
    operatorAuditLine(person.accountId, 'key-create', { email: person.email, name, expires: expireTime }),
  );
  if (isFault(outcome)) return refuse(`${person.email} has just been removed.`);
  const { id } = outcome;
  const until = expireTime === null ? 'It does not expire.' : `It works until ${timeText(expireTime)}.`;
  return {
    data: { id, api_key: apiKey, email: person.email, expires: expireTime },
    says: `API key ${id} of ${person.email}, shown only now: ${apiKey}\n${until}`,
  };
}
