/** `operator add`, `operator remove` and `operator list`: the people who look after this server in the panel. */
import { isFault } from '@drawbridge/contract/faults';
import { operatorLine } from '../domain/audit.ts';
import type { Member } from '../domain/members.ts';
import { withoutHostileCharacters } from '../domain/text.ts';
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
  email: { takes: 'E', says: 'Address of the person', required: true },
  account: { takes: 'ID', says: 'The account, where the person belongs to several' },
};

export const operatorAdd: Command = {
  name: 'operator add',
  says: 'Let a person look after this server in the panel: its accounts and their plans.',
  options: whom,
  run: (given, world) =>
    withPerson(given, world, async (store, { id, accountId, email }) => {
      const line = operatorLine(accountId, 'operator-add', { email });
      const added = await store.change('operators/add', { member: { accountId, id } }, line);
      if (isFault(added)) return refuse(`${email} was removed at this moment.`);
      return {
        data: { account_id: accountId, email },
        says: `${email} of account ${accountId} looks after this server from now on.`,
      };
    }),
};

export const operatorRemove: Command = {
  name: 'operator remove',
  says: 'Let a person look after this server no longer.',
  options: { ...whom, force: { says: 'Also where nobody is left who does' } },
  run: (given, world) =>
    withPerson(given, world, async (store, { id, accountId, email }) => {
      const input = { member: { accountId, id }, evenLast: given.options['force'] !== undefined };
      const line = operatorLine(accountId, 'operator-remove', { email });
      const removed = await store.change('operators/remove', input, line);
      if (isFault(removed))
        return refuse(
          removed.fault === 'invalid'
            ? `${email} is the last who looks after this server: name another with operator add, or give --force.`
            : `${email} does not look after this server.`,
        );
      return {
        data: { account_id: accountId, email },
        says: `${email} of account ${accountId} looks after this server no longer.`,
      };
    }),
};

export const operatorList: Command = {
  name: 'operator list',
  says: 'List who looks after this server in the panel.',
  options: {},
  run: (_given, world) =>
    withCurrent(world, async (found) => {
      const people = await found.snapshot((db) => memberReads(() => db).operators());
      return {
        data: { operators: people.map(({ accountId, email }) => ({ account_id: accountId, email })) },
        says:
          people.length === 0
            ? 'Nobody looks after this server in the panel.'
            : people.map(lineOf).join('\n'),
      };
    }),
};

const lineOf = ({ accountId, email }: Member): string =>
  `${withoutHostileCharacters(email)}, account ${accountId}`;

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
