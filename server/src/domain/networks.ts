/** The network of an address: what guesses are counted by, because one subscriber often has many addresses. */

/** An IPv4 address, or the /64 of an IPv6 address: a subscriber has more addresses in it than can be counted. */
export const networkOf = (address: string): string => firstOf(address, 4);

/** An IPv4 address, or the /48 of an IPv6 address: a subscriber is often given all 65,536 networks in it. */
export const wideNetworkOf = (address: string): string => firstOf(address, 3);

function firstOf(address: string, parts: number): string {
  if (!address.includes(':')) return address;
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const gap = Array.from({ length: Math.max(8 - before.length - after.length, 0) }, () => '0');
  return [...before, ...gap, ...after].slice(0, parts).join(':');
}
