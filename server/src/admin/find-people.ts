/** Finds the person that an e-mail address in a command means. */
import type { Member } from '../domain/people/members.ts';
import type { Store } from '../store/store.ts';
import { usageError, failWith, type Failure } from './command.ts';

/** Finds the owner of an account with this address; otherwise the only person with it, or the one in the given account. */
export async function findPerson(
  store: Store,
  email: string,
  accountId: number | undefined,
): Promise<Member | Failure> {
  const people = await store.members.everywhere(email);
  const found = people.filter((member) => accountId === undefined || member.accountId === accountId);
  const [first, second] = found;
  if (!first) return failWith(`Nobody has the e-mail address ${email}${where(accountId)}.`);
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
  return owner ?? failWith(`${email} does not own an account on this server.`);
}
