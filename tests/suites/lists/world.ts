/** Accounts with people, devices, groups and grants that random changes alter, and what the test remembers of them. */
import { isFault, type Fault } from '@drawbridge/contract/faults';
import { newKey } from '@drawbridge/server/compose/create-account';
import { random } from '@drawbridge/server/edges/random';
import type { ChangeInput, ChangeName, ChangeOutput } from '@drawbridge/server/store/changes';
import type { Store } from '@drawbridge/server/store/store';
import { openAccount, someDigest, unique, type StoreAccount } from '../store/fixture.ts';

/** Draws from a seed, so that a run can be repeated. */
export interface SeededDraw {
  below(limit: number): number;
  /** Undefined if there is nothing to choose from. */
  pick<Item>(items: readonly Item[]): Item | undefined;
  oneOf<Item>(...items: readonly Item[]): Item;
}

export function createDraw(seed: number): SeededDraw {
  let state = seed;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return {
    below,
    pick: (items) => items[below(Math.max(items.length, 1))],
    oneOf: (...items) => items[below(items.length)]!,
  };
}

export interface ListPerson {
  id: number;
  email: string;
  /** Some of them may be revoked. */
  apiKeys: string[];
}

/** Ids of what exists, and of some things that no longer do: changes of those are refused. */
export interface ListAccount {
  made: StoreAccount;
  accountId: number;
  ownerId: number;
  people: ListPerson[];
  agents: number[];
  groups: number[];
  roles: { id: number; type: 'agent' | 'group' }[];
  departments: number[];
  grants: ChangeInput<'access/add'>[];
  memberships: ChangeInput<'departments/member-remove'>[];
  files: number[];
  sessions: number[];
}

type Done<Name extends ChangeName> = Exclude<ChangeOutput<Name>, Fault>;

/** Runs a change on one of the nodes. Returns undefined if it was refused. */
export type Run = <Name extends ChangeName>(
  name: Name,
  input: ChangeInput<Name>,
) => Promise<Done<Name> | undefined>;

export const createRun =
  (store: Store, onDone: (name: ChangeName) => void): Run =>
  async (name, input) => {
    const outcome = await store.change(name, input);
    if (isFault(outcome)) return undefined;
    onDone(name);
    return outcome as Done<typeof name>;
  };

export async function openListAccount(store: Store, run: Run, draw: SeededDraw): Promise<ListAccount> {
  const made = await openAccount(store);
  const { accountId, owner } = made;
  const { apiKey, key } = newKey(random, 'test');
  await run('keys/create', { accountId, memberId: owner.id, key });
  const account: ListAccount = {
    made,
    accountId,
    ownerId: owner.id,
    people: [{ ...owner, apiKeys: [apiKey] }],
    agents: [],
    groups: [],
    roles: [],
    departments: [],
    grants: [],
    memberships: [],
    files: [],
    sessions: [],
  };
  await refill(account, run, draw);
  return account;
}

/** Adds what changes have removed, and forgets the oldest of what there is too much of. */
export async function refill(account: ListAccount, run: Run, draw: SeededDraw): Promise<void> {
  const { accountId, made } = account;
  while (account.people.length < 3) await addPerson(account, run);
  while (account.groups.length < 3) account.groups.push(await made.group(`Group ${draw.below(3)}`));
  while (account.departments.length < 2) account.departments.push(await made.department());
  while (account.roles.length < 4) {
    const type = draw.oneOf('agent', 'group');
    account.roles.push({ id: await made.role(type, ['agent_connect', 'agent_preview']), type });
  }
  while (account.agents.length < 5)
    account.agents.push((await made.agent({ name: `Device ${draw.below(5)}` })).id);
  while (account.agents.length > 12) await run('agents/remove', { accountId, id: account.agents.shift()! });
  while (account.people.length > 6)
    await run('members/remove', { accountId, email: account.people.splice(1, 1)[0]!.email });
}

export async function addPerson(account: ListAccount, run: Run): Promise<void> {
  const { accountId, people } = account;
  const email = `person-${unique()}@example.com`;
  const link = { digest: someDigest(), expireTime: 2_000_000_000 };
  const invited = await run('members/invite', { accountId, email, link });
  if (!invited) return;
  people.push({ id: invited.id, email, apiKeys: [] });
  await givePersonKey(account, people.at(-1)!, run);
}

export async function givePersonKey({ accountId }: ListAccount, person: ListPerson, run: Run): Promise<void> {
  const { apiKey, key } = newKey(random, 'test');
  await run('keys/create', { accountId, memberId: person.id, key });
  person.apiKeys = [...person.apiKeys.slice(-1), apiKey];
}
