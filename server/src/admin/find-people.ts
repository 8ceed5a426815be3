/** Whose address this is: the one person, of one account, that a command of the operator means. */
import type { Member } from '../domain/members.ts';
import type { Store } from '../store/store.ts';
import { usageError, refuse, type Failure } from './command.ts';

/** The owner of an account if the address is one's; else the only person with it, or the one of the account that is named. */
export async function findPerson(
  store: Store,
  email: string,
  accountId: number | undefined,
): Promise<Member | Failure> {
  const everybody = await store.members.everywhere(email);
  const found = everybody.filter((member) => accountId === undefined || member.accountId === accountId);
  const [first, second] = found;
  if (!first) return refuse(`Nobody has the e-mail address ${email}${where(accountId)}.`);
  if (second && !first.owner)
    return usageError(
      `${email} belongs to several accounts: set --account to one of ${found.map((member) => member.accountId).join(', ')}.`,
    );
  return first;
}

const where = (accountId: number | undefined): string =>
  accountId === undefined ? ' on this server' : ` in account ${accountId}`;

export async function findOwner(store: Store, email: string): Promise<Member | Failure> {
  const owner = (await store.members.everywhere(email)).find((member) => member.owner);
  return owner ?? refuse(`${email} does not own an account on this server.`);
}
