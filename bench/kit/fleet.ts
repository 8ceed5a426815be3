/** Seeds a realistic fleet: hardware of three to four kilobytes, groups, past sessions, some favourites and online devices. */
import { randomInt } from 'node:crypto';
import { newAccount } from '@drawbridge/server/compose/create-account';
import { random } from '@drawbridge/server/edges/random';
import { openStore } from '@drawbridge/server/store/engine/open';
import type { Store } from '@drawbridge/server/store/store';
import { isFault } from '@drawbridge/contract/faults';
import { hardwareOf } from './hardware.ts';

export interface SeededFleet {
  accountId: number;
  memberId: number;
  apiKey: string;
  agentIds: number[];
}

const groups = 20;
/** One device in three is online and has a past session; one in fifty is a favourite. */
const oneInThree = (_: unknown, index: number): boolean => index % 3 === 0;
const oneInFifty = (_: unknown, index: number): boolean => index % 50 === 0;
/** Devices written concurrently; the store's writer combines waiting changes into one commit. */
const batchSize = 250;

/** Creates an account with this many devices in a data folder that no server uses. */
export async function seedFleet(store: Store, email: string, devices: number): Promise<SeededFleet> {
  const account = newAccount(random, email, 'https://localhost', store.now());
  const made = await store.change('accounts/create', account.input);
  if (isFault(made)) throw new Error(`The account could not be made: ${JSON.stringify(made)}`);
  const { accountId, memberId } = made;
  const groupIds = await Promise.all(
    Array.from({ length: groups }, async (_, index) => {
      const group = await store.change('groups/create', { accountId, name: `Office ${index + 1}, Växjö` });
      return group.id;
    }),
  );
  const agentIds: number[] = [];
  for (let first = 0; first < devices; first += batchSize) {
    const part = Array.from({ length: Math.min(batchSize, devices - first) }, (_, index) => first + index);
    const added = await Promise.all(part.map((index) => addDevice(store, accountId, groupIds, index)));
    agentIds.push(...added);
  }
  await Promise.all(agentIds.filter(oneInThree).map((id) => addHistory(store, accountId, memberId, id)));
  await Promise.all(
    agentIds
      .filter(oneInFifty)
      .map((id) => store.change('agents/favor', { accountId, memberId, id, favorite: true })),
  );
  return { accountId, memberId, apiKey: account.apiKey, agentIds };
}

async function addDevice(
  store: Store,
  accountId: number,
  groupIds: readonly number[],
  index: number,
): Promise<number> {
  const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  const { id } = await store.change('agents/add', {
    accountId,
    deviceIds: Array.from({ length: 5 }, () => randomInt(100_000_000, 1_000_000_000)),
    name: `Workplace ${index + 1} of Zoë Müller`,
    groupId: index % 10 === 0 ? null : groupIds[index % groups]!,
    secret: random.token(),
    os: 'win',
    osUser: 'OFFICE\\zoe.mueller',
    version: '1.4.2',
    geo: { ip: `203.0.113.${index % 256}`, country: 'Sweden', region: 'Kronobergs län', city: 'Växjö' },
    addresses: [address],
    rdp: true,
    hibernate: false,
    powerSupply: true,
    installed: true,
    hardware: JSON.stringify(hardwareOf(index, address)),
  });
  return id;
}

async function addHistory(store: Store, accountId: number, memberId: number, agentId: number): Promise<void> {
  const { id } = await store.change('sessions/start', {
    accountId,
    memberId,
    agentId,
    invitationId: null,
    start: store.now() - 3_600,
    login: 'anna@example.com',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    geo: { ip: '198.51.100.7', country: 'Germany', region: 'Berlin', city: 'Berlin' },
  });
  await store.change('sessions/stop', { accountId, id, bytes: 48_000_000 });
}

/** Sets a third of the devices online for a day. Must follow the server's start, because a start sets all of them offline. */
export async function setOnline(folder: string, fleets: readonly SeededFleet[]): Promise<void> {
  const store = await openStore({ folder });
  for (const { agentIds } of fleets) {
    const agents = agentIds.filter(oneInThree).map((id) => ({ id }));
    await store.change('presence/renew', { node: 'bench', agents, leaseUntil: store.now() + 86_400 });
  }
  await store.close();
}
