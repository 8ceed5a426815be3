/** `sign-in create`: creates a link for a person who can no longer sign in, such as the owner of an account. */
import { isFault } from '@drawbridge/contract/faults';
import { random, digestOf } from '../edges/random.ts';
import { operatorAuditLine } from '../domain/audit.ts';
import { signInLifetime } from '../domain/people/members.ts';
import type { Store } from '../store/store.ts';
import { isFailure, failWith, type AdminCommand, type Failure, type CommandOutcome } from './command.ts';
import { findOwner, findPerson } from './find-people.ts';
import { withStore } from './store-access.ts';
import { timeText, toEmailOption, toId } from './values.ts';

interface SignInOptions {
  email: string;
  /** The account, by its number or the e-mail address of its owner. */
  account: number | string | undefined;
  forget: boolean;
}

export const signInCreate: AdminCommand = {
  name: 'sign-in create',
  says: 'Create a link with which a person signs in once and sets a new password, valid for one day.',
  options: {
    email: { takes: 'E', says: 'E-mail address of the person', required: true },
    account: { takes: 'OWNER', says: 'Account, by its owner or number, if the person belongs to several' },
    forget_factors: { says: 'Also remove their authenticator app, recovery codes and passkeys.' },
  },
  async run({ options }, context) {
    const email = toEmailOption(options['email']!);
    const account = options['account'] === undefined ? undefined : toAccount(options['account']);
    for (const value of [email, account]) if (isFailure(value)) return value;
    const values = { email, account, forget: options['forget_factors'] !== undefined } as SignInOptions;
    return withStore(context, (store, { publicUrl }) => create(store, values, publicUrl));
  },
};

const toAccount = (text: string): number | string | Failure =>
  text.includes('@') ? toEmailOption(text) : toId('account', text);

async function create(
  store: Store,
  { email, account, forget }: SignInOptions,
  publicUrl: string,
): Promise<CommandOutcome | Failure> {
  const owner = typeof account === 'string' ? await findOwner(store, account) : { accountId: account };
  if (isFailure(owner)) return owner;
  const person = await findPerson(store, email, owner.accountId);
  if (isFailure(person)) return person;
  const [token, expireTime] = [random.token(), store.now() + signInLifetime];
  const { accountId } = person;
  const made = await store.change(
    'members/reset',
    { accountId, email: person.email, link: { digest: digestOf(token), expireTime }, forget },
    operatorAuditLine(accountId, 'server/sign-in-create', { email: person.email, forget_factors: forget }),
  );
  if (isFault(made)) return failWith(made.message ?? `${person.email} has just been removed.`);
  const url = `${publicUrl}/sign-in/${token}`;
  return {
    data: { url, email: person.email, account_id: accountId, expires: expireTime },
    says: `Link for ${person.email}, shown only now: ${url}\nIt works once, until ${timeText(expireTime)}.`,
  };
}
