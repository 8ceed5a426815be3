/** Whose key a request carries, and whether it may be used now and from there. */
import { isUsable, type KeyHolder } from '../domain/members.ts';
import type { House } from '../handlers/handler.ts';
import { isWithin, parseNetworks } from './client-address.ts';

export interface Caller {
  holder: KeyHolder;
  usable: boolean;
}

const parsed = new WeakMap<readonly string[], ReturnType<typeof parseNetworks>>();

/** Whether the address lies in one of the networks; they are parsed once per loaded key. */
function isAmong(address: string, list: readonly string[]): boolean {
  const known = parsed.get(list) ?? parseNetworks(list);
  parsed.set(list, known);
  return 'networks' in known && isWithin(address, known.networks);
}

const mayCallFrom = (address: string, { networks }: KeyHolder): boolean =>
  networks.length === 0 || isAmong(address, networks);

/** A missing key is looked up like any other, so that it takes the same time to refuse. */
export async function findCaller(
  { apiKey = '', address }: { apiKey: string | undefined; address: string },
  { store, digestOf }: Pick<House, 'store' | 'digestOf'>,
  now: number,
): Promise<Caller | undefined> {
  const holder = await store.actors.byKey(digestOf(apiKey));
  return holder && { holder, usable: isUsable(holder, now) && mayCallFrom(address, holder) };
}
