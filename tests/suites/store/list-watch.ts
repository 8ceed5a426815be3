/** Watches the lists of devices while a suite runs: a change that alters one must move the version of its account. */
import { renderAgentList } from '@drawbridge/server/handlers/agent-list';
import { createAgentViewCache } from '@drawbridge/server/handlers/agent-view';
import type { Store } from '@drawbridge/server/store/store';
import { createStoreContext } from '../../model/memory-context.ts';
import type { StoreFixture } from './fixture.ts';

export interface ListWatch {
  /** The same store, with its changes watched. */
  watched: StoreFixture;
  /** The changes that altered a list without moving the version, by name. */
  unmoved(): string[];
}

interface SeenList {
  version: number | undefined;
  text: string;
}

export function watchLists({ store, sql, advance }: StoreFixture): ListWatch {
  /** By account: the list after its newest change, so that it is read once per change. Other ways to alter it clear them. */
  const seen = new Map<number, SeenList>();
  const unmoved = new Set<string>();
  const change = watchChanges({ store, sql }, seen, (name) => unmoved.add(name));
  return {
    watched: {
      store: { ...store, change },
      sql(text) {
        seen.clear();
        return sql(text);
      },
      advance(seconds) {
        seen.clear();
        advance(seconds);
      },
    },
    unmoved: () => [...unmoved],
  };
}

function watchChanges(
  { store, sql }: Pick<StoreFixture, 'store' | 'sql'>,
  seen: Map<number, SeenList>,
  onUnmoved: (name: string) => void,
): Store['change'] {
  const versionOf = async (accountId: number): Promise<number | undefined> => {
    const select = `select rights_version from account where account_id = ${accountId}`;
    const [row] = await sql<{ rights_version: number }>(select);
    return row && Number(row.rights_version) + (await store.agents.listVersion(accountId));
  };
  const currentList = async (accountId: number): Promise<SeenList> => {
    const version = await versionOf(accountId);
    const known = seen.get(accountId);
    return known?.version === version ? known! : { version, text: await listOf(store, accountId) };
  };

  return async (name, input, line) => {
    const accountId = 'accountId' in input ? Number(input.accountId) : undefined;
    if (accountId === undefined) {
      seen.clear();
      return store.change(name, input, line);
    }
    const before = await currentList(accountId);
    const outcome = await store.change(name, input, line);
    seen.delete(accountId);
    if ((await versionOf(accountId)) !== before.version) return outcome;
    const text = await listOf(store, accountId);
    if (text !== before.text) onUnmoved(name);
    seen.set(accountId, { version: before.version, text });
    return outcome;
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
