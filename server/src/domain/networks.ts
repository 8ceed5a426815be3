/** The network of an address: guesses are counted by it, because one subscriber often has many addresses. */
import type { SlotOwner } from '@drawbridge/contract/fair-slots';

/** An IPv4 address, or the /64 of an IPv6 address: a subscriber has more addresses in it than a limiter could count. */
export const networkOf = (address: string): string => prefixOf(address, 4);

/** An IPv4 address, or the /48 of an IPv6 address: a subscriber often has all 65,536 networks in it. */
export const wideNetworkOf = (address: string): string => prefixOf(address, 3);

/** Both, for slots that are shared fairly. */
export const slotOwnerOf = (address: string): SlotOwner => ({
  narrow: networkOf(address),
  wide: wideNetworkOf(address),
});

/** The first and the last address of a network. */
export interface AddressRange {
  first: string;
  last: string;
}

/** The 4 or 16 bytes of an address. */
export const bytesOfAddress = (address: string): number[] =>
  address.includes(':')
    ? groupsOf(address).flatMap((group) => toBytes(Number.parseInt(group, 16)))
    : address.split('.').map(Number);

const toBytes = (group: number): [number, number] => [group >> 8, group & 255];

/** The range of the network of this many bits that contains the address. */
export function rangeOf(address: string, bits: number): AddressRange {
  const isV6 = address.includes(':');
  const partBits = isV6 ? 16 : 8;
  const parts = isV6
    ? groupsOf(address).map((group) => Number.parseInt(group, 16))
    : address.split('.').map(Number);
  const write = (bound: (part: number, mask: number) => number): string => {
    const filled = parts.map((part, index) => {
      const free = Math.min(Math.max((index + 1) * partBits - bits, 0), partBits);
      return bound(part, 2 ** free - 1);
    });
    return isV6 ? shortened(filled) : filled.join('.');
  };
  return { first: write((part, mask) => part & ~mask), last: write((part, mask) => part | mask) };
}

/** An IPv6 address in its usual spelling. */
const shortened = (groups: readonly number[]): string =>
  new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1);

function prefixOf(address: string, parts: number): string {
  if (!address.includes(':')) return address;
  const groups = groupsOf(address);
  return mappedIpv4In(groups) ?? groups.slice(0, parts).join(':');
}

/** The eight groups of an IPv6 address, the last two of which may be written like an IPv4 address. */
function groupsOf(address: string): string[] {
  const hex = address.replace(/%.*$/s, '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a, b, c, d] = bytes.map(Number) as [number, number, number, number];
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [before = [], after = []] = hex.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const gap = Array.from({ length: Math.max(8 - before.length - after.length, 0) }, () => '0');
  return [...before, ...gap, ...after];
}

/** A port that listens for both families reports every IPv4 address as `::ffff:` followed by the address. */
function mappedIpv4In(groups: readonly string[]): string | undefined {
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  if (numbers.length !== 8 || numbers[5] !== 0xffff || numbers.slice(0, 5).some((each) => each !== 0))
    return undefined;
  return numbers.slice(6).flatMap(toBytes).join('.');
}
