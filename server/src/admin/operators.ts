/** `operator add`, `operator remove` and `operator list`: the server administrators, who manage this server in the panel. */
import { isFault } from '@drawbridge/contract/faults';
import { operatorAuditLine } from '../domain/audit.ts';
import type { Member } from '../domain/people/members.ts';
import { stripHostileCharacters } from '../domain/text.ts';
import { memberReads } from '../store/people/members.ts';
import type { Store } from '../store/store.ts';
import {
  isFailure,
  failWith,
  type AdminCommand,
  type Failure,
  type ParsedArguments,
  type CommandOutcome,
  type ProcessContext,
} from './command.ts';
import { findPerson } from './find-people.ts';
import { withCurrentDatabase, withStore } from './store-access.ts';
import { toEmailOption, toId } from './values.ts';

const personOptions = {
  email: { takes: 'E', says: 'E-mail address of the person', required: true },
  account: { takes: 'ID', says: 'Account number, if the person belongs to several accounts' },
};

export const operatorAdd: AdminCommand = {
  name: 'operator add',
  says: 'Make a person a server administrator, who manages accounts and their plans in the panel.',
  options: personOptions,
  run: (args, context) =>
    withPerson(args, context, async (store, { id, accountId, email }) => {
      const line = operatorAuditLine(accountId, 'server/operator-add', { email });
      const added = await store.change('operators/add', { member: { accountId, id } }, line);
      if (isFault(added)) return failWith(`${email} has just been removed.`);
      return {
        data: { account_id: accountId, email },
        says: `${email} of account ${accountId} is now a server administrator.`,
      };
    }),
};

export const operatorRemove: AdminCommand = {
  name: 'operator remove',
  says: 'Remove a person from the server administrators.',
  options: { ...personOptions, force: { says: 'Also remove the last server administrator' } },
  run: (args, context) =>
    withPerson(args, context, async (store, { id, accountId, email }) => {
      const input = { member: { accountId, id }, evenLast: args.options['force'] !== undefined };
      const line = operatorAuditLine(accountId, 'server/operator-remove', { email });
      const removed = await store.change('operators/remove', input, line);
      if (isFault(removed))
        return failWith(
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

export const operatorList: AdminCommand = {
  name: 'operator list',
  says: 'List the server administrators.',
  options: {},
  run: (_args, context) =>
    withCurrentDatabase(context, async (found) => {
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
  { options }: ParsedArguments,
  context: ProcessContext,
  work: (store: Store, person: Member) => Promise<CommandOutcome | Failure>,
): Promise<CommandOutcome | Failure> {
  const email = toEmailOption(options['email']!);
  if (isFailure(email)) return email;
  const account = options['account'] === undefined ? undefined : toId('account', options['account']);
  if (isFailure(account)) return account;
  return withStore(context, async (store) => {
    const person = await findPerson(store, email, account);
    return isFailure(person) ? person : work(store, person);
  });
}
