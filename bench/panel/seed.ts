/** Seeds a server with two accounts, of a thousand and of ten thousand devices, and signs in their owners. */
import { isFault } from '@drawbridge/contract/faults';
import { random, digestOf } from '@drawbridge/server/edges/random';
import { openStore } from '@drawbridge/server/store/engine/open';
import type { Store } from '@drawbridge/server/store/store';
import { seedFleet, type SeededFleet } from '../kit/fleet.ts';

export interface BenchAccount {
  devices: number;
  fleet: SeededFleet;
  /** The cookie of its owner's sign-in. */
  cookie: string;
}

/** Seeds a data folder that no server uses yet. */
export async function seedAccounts(folder: string, sizes: readonly number[]): Promise<BenchAccount[]> {
  const store = await openStore({ folder });
  const accounts: BenchAccount[] = [];
  for (const devices of sizes) {
    const email = `owner-of-${devices}@example.com`;
    const fleet = await seedFleet(store, email, devices);
    accounts.push({ devices, fleet, cookie: await signIn(store, fleet.accountId, email) });
  }
  await store.close();
  return accounts;
}

async function signIn(store: Store, accountId: number, email: string): Promise<string> {
  const { id: memberId } = (await store.members.find(accountId, email))!;
  const token = random.token();
  const session = { digest: digestOf(token), address: '127.0.0.1', userAgent: 'bench' };
  // Not used to sign in; without a password the panel would ask for one first.
  await store.change('members/password', { accountId, memberId, password: 'none', keep: 0 });
  const opened = await store.change('panel/sessions/open', { accountId, memberId, session });
  if (isFault(opened)) throw new Error(`Nobody could be signed in: ${JSON.stringify(opened)}`);
  return token;
}

/** Number of batches, a second apart, each with a tenth of the devices. */
const parts = 10;

/** Sets devices offline, which is the most frequent change that the server does not make itself. */
export async function setOffline(folder: string, ids: readonly number[]): Promise<void> {
  const store = await openStore({ folder });
  const size = Math.ceil(ids.length / parts);
  for (let part = 0; part < parts; part += 1) {
    const agents = ids.slice(part * size, (part + 1) * size).map((id) => ({ id }));
    if (agents.length > 0)
      await store.change('presence/renew', { node: 'bench', agents, leaseUntil: store.now() + 2 + part });
  }
  await store.close();
}
