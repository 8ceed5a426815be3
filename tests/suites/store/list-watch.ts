/** Watches the lists of devices while a suite runs: a change that alters one must move the version of its account. */
import { renderAgentList } from '@drawbridge/server/handlers/agent-list';
import { createAgentViewCache } from '@drawbridge/server/handlers/agent-view';
import type { Store } from '@drawbridge/server/store/store';
import { createStoreContext } from '../../model/memory-context.ts';
import type { Sql } from './test-store.ts';

export interface ListWatch {
  /** The same store, with its changes watched. */
  watch(store: Store): Store;
  /** The changes that altered a list without moving the version, by name. */
  unmoved(): string[];
}

export function createListWatch(sql: Sql): ListWatch {
  const unmoved = new Set<string>();

  const versionOf = async (store: Store, accountId: number): Promise<number | undefined> => {
    const select = `select rights_version from account where account_id = ${accountId}`;
    const [row] = await sql<{ rights_version: number }>(select);
    return row && Number(row.rights_version) + (await store.agents.listVersion(accountId));
  };

  return {
    watch: (store) => ({
      ...store,
      async change(name, input, line) {
        const accountId = 'accountId' in input ? Number(input.accountId) : undefined;
        if (accountId === undefined) return store.change(name, input, line);
        const version = await versionOf(store, accountId);
        const list = await listOf(store, accountId);
        const outcome = await store.change(name, input, line);
        const isAltered = (await listOf(store, accountId)) !== list;
        if (isAltered && (await versionOf(store, accountId)) === version) unmoved.add(name);
        return outcome;
      },
    }),
    unmoved: () => [...unmoved],
  };
}

/** The text of the list of all devices, as the owner of the account sees it. */
async function listOf(store: Store, accountId: number): Promise<string> {
  const { members } = await store.members.list(accountId, { offset: 0, limit: 1 });
  const actor = members[0] && (await store.actors.byId(accountId, members[0].id));
  if (!actor) return '';
  const plan = await store.plan.of(accountId);
  const key = { expireTime: null, networks: [] };
  const caller = { actor, plan, key, ownerEmail: actor.email };
  const context = { ...createStoreContext(store), now: () => 0, views: createAgentViewCache() };
  const found = await store.agents.list(actor, { scope: 'all' });
  const { items } = await renderAgentList(found, caller, context);
  return items.map(({ bytes }) => String(bytes)).join('');
}
