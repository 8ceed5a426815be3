/** Whose key a request carries, and whether it may be used now and from there. */
import { digestOf } from '../chance.ts';
import { isUsable, type KeyHolder } from '../domain/members.ts';
import type { Reads } from '../store/store.ts';
import { isWithin, parseNetworks, type Networks } from './client-address.ts';

export interface Caller {
  holder: KeyHolder;
  usable: boolean;
}

const parsed = new WeakMap<readonly string[], Networks>();

/** The networks of a key, parsed once per loaded key. */
function networksOf(list: readonly string[]): Networks {
  const known = parsed.get(list);
  if (known) return known;
  const result = parseNetworks(list);
  const networks = 'networks' in result ? result.networks : { list: ['none'], blocks: undefined as never };
  parsed.set(list, networks);
  return networks;
}

const mayCallFrom = (address: string, { networks }: KeyHolder): boolean =>
  networks.length === 0 || isWithin(address, networksOf(networks));

/** A missing key is looked up like any other, so that it takes the same time to refuse. */
export async function findCaller(
  apiKey: string | undefined,
  address: string,
  store: Reads,
  now: number,
): Promise<Caller | undefined> {
  const holder = await store.actors.byKey(digestOf(apiKey ?? ''));
  return holder && { holder, usable: isUsable(holder, now) && mayCallFrom(address, holder) };
}
