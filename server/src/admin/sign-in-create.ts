/** `sign-in create`: a link with which a person gets in again who lost all ways, the owner of an account among them. */
import { isFault } from '@drawbridge/contract/faults';
import { random, digestOf } from '../random.ts';
import { operatorAuditLine } from '../domain/audit.ts';
import { signInLifetime } from '../domain/members.ts';
import type { Store } from '../store/store.ts';
import { isFailure, refuse, type Command, type Failure, type Outcome } from './command.ts';
import { ownerWith, personWith } from './people.ts';
import { withStore } from './place.ts';
import { timeText, toEmail, toId } from './values.ts';

interface Wish {
  email: string;
  /** The account, by its number or the address of its owner. */
  account: number | string | undefined;
  forget: boolean;
}

export const signInCreate: Command = {
  name: 'sign-in create',
  says: 'Create a link with which a person signs in once and sets a new password, valid for one day.',
  options: {
    email: { takes: 'E', says: 'E-mail address of the person', required: true },
    account: { takes: 'OWNER', says: 'Account, by its owner or number, if the person belongs to several' },
    forget_factors: { says: 'Also remove their authenticator app, recovery codes and passkeys.' },
  },
  async run({ options }, world) {
    const email = toEmail(options['email']!);
    const account = options['account'] === undefined ? undefined : toAccount(options['account']);
    for (const value of [email, account]) if (isFailure(value)) return value;
    const wish = { email, account, forget: options['forget_factors'] !== undefined } as Wish;
    return withStore(world, (store, { publicUrl }) => create(store, wish, publicUrl));
  },
};

const toAccount = (text: string): number | string | Failure =>
  text.includes('@') ? toEmail(text) : toId('account', text);

async function create(
  store: Store,
  { email, account, forget }: Wish,
  publicUrl: string,
): Promise<Outcome | Failure> {
  const owner = typeof account === 'string' ? await ownerWith(store, account) : { accountId: account };
  if (isFailure(owner)) return owner;
  const person = await personWith(store, email, owner.accountId);
  if (isFailure(person)) return person;
  const [token, expireTime] = [random.token(), store.now() + signInLifetime];
  const { accountId } = person;
  const made = await store.change(
    'members/reset',
    { accountId, email: person.email, link: { digest: digestOf(token), expireTime }, forget },
    operatorAuditLine(accountId, 'sign-in-create', { email: person.email, forget_factors: forget }),
  );
  if (isFault(made)) return refuse(made.message ?? `${person.email} has just been removed.`);
  const url = `${publicUrl}/sign-in/${token}`;
  return {
    data: { url, email: person.email, account_id: accountId, expires: expireTime },
    says: `Link for ${person.email}, shown only now: ${url}\nIt works once, until ${timeText(expireTime)}.`,
  };
}
