/** The host to connect to for reaching a listener from its own machine. */
import { lookup } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Wildcard addresses, and the address to connect to instead. */
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export const localHost = (listened: string): string => reachable[listened] ?? listened;

/**
 * The address of this machine that the listener uses, or undefined if the host is elsewhere. The settings of a folder can come
 * from someone else and must not send the key of a person to another machine, so the result is an address, never a name.
 */
export async function localAddress(listened: string): Promise<string | undefined> {
  const found = await lookup(localHost(listened)).catch(() => undefined);
  return found && isOwnAddress(found.address) ? found.address : undefined;
}

const isOwnAddress = (address: string): boolean =>
  address === '::1' ||
  (isIPv4(address) && address.startsWith('127.')) ||
  Object.values(networkInterfaces()).some((entries) => entries?.some((own) => own.address === address));
