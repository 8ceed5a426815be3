/** `operator add`, `operator remove` and `operator list`: the people who look after this server in the panel. */
import { isFault } from '@drawbridge/contract/faults';
import { operatorAuditLine } from '../domain/audit.ts';
import type { Member } from '../domain/members.ts';
import { stripHostileCharacters } from '../domain/text.ts';
import { memberReads } from '../store/members.ts';
import type { Store } from '../store/store.ts';
import {
  isFailure,
  refuse,
  type Command,
  type Failure,
  type Given,
  type Outcome,
  type World,
} from './command.ts';
import { personWith } from './people.ts';
import { withCurrent, withStore } from './place.ts';
import { toEmail, toId } from './values.ts';

const whom = {
  email: { takes: 'E', says: 'E-mail address of the person', required: true },
  account: { takes: 'ID', says: 'Account number, if the person belongs to several accounts' },
};

export const operatorAdd: Command = {
  name: 'operator add',
  says: 'Make a person a server administrator, who manages accounts and their plans in the panel.',
  options: whom,
  run: (given, world) =>
    withPerson(given, world, async (store, { id, accountId, email }) => {
      const line = operatorAuditLine(accountId, 'operator-add', { email });
      const added = await store.change('operators/add', { member: { accountId, id } }, line);
      if (isFault(added)) return refuse(`${email} has just been removed.`);
      return {
        data: { account_id: accountId, email },
        says: `${email} of account ${accountId} is now a server administrator.`,
      };
    }),
};

export const operatorRemove: Command = {
  name: 'operator remove',
  says: 'Remove a person from the server administrators.',
  options: { ...whom, force: { says: 'Also remove the last server administrator' } },
  run: (given, world) =>
    withPerson(given, world, async (store, { id, accountId, email }) => {
      const input = { member: { accountId, id }, evenLast: given.options['force'] !== undefined };
      const line = operatorAuditLine(accountId, 'operator-remove', { email });
      const removed = await store.change('operators/remove', input, line);
      if (isFault(removed))
        return refuse(
          removed.fault === 'invalid'
            ? `${email} is the last server administrator: add another with operator add, or use --force.`
            : `${email} is not a server administrator.`,
        );
      return {
        data: { account_id: accountId, email },
        says: `${email} of account ${accountId} is no longer a server administrator.`,
      };
    }),
};

export const operatorList: Command = {
  name: 'operator list',
  says: 'List the server administrators.',
  options: {},
  run: (_given, world) =>
    withCurrent(world, async (found) => {
      const people = await found.snapshot((db) => memberReads(() => db).operators());
      return {
        data: { operators: people.map(({ accountId, email }) => ({ account_id: accountId, email })) },
        says: people.length === 0 ? 'There are no server administrators.' : people.map(lineOf).join('\n'),
      };
    }),
};

const lineOf = ({ accountId, email }: Member): string =>
  `${stripHostileCharacters(email)}, account ${accountId}`;

async function withPerson(
  { options }: Given,
  world: World,
  work: (store: Store, person: Member) => Promise<Outcome | Failure>,
): Promise<Outcome | Failure> {
  const email = toEmail(options['email']!);
  if (isFailure(email)) return email;
  const account = options['account'] === undefined ? undefined : toId('account', options['account']);
  if (isFailure(account)) return account;
  return withStore(world, async (store) => {
    const person = await personWith(store, email, account);
    return isFailure(person) ? person : work(store, person);
  });
}
