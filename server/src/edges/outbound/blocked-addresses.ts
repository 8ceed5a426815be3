/** Addresses that the server does not connect to for an account: its own machine, its network segment, and the metadata of clouds. */
import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Of this machine alone, of its network segment, and of many machines at once. */
const unusable = new BlockList();
unusable.addSubnet('0.0.0.0', 8, 'ipv4');
unusable.addSubnet('169.254.0.0', 16, 'ipv4');
unusable.addSubnet('224.0.0.0', 3, 'ipv4');
unusable.addAddress('::', 'ipv6');
unusable.addSubnet('fe80::', 10, 'ipv6');
unusable.addSubnet('ff00::', 8, 'ipv6');
/** Where clouds answer their machines outside of link-local addresses: Alibaba, Oracle, Azure, AWS; and link-local by NAT64. */
for (const address of ['100.100.100.200', '192.0.0.192', '168.63.129.16'])
  unusable.addAddress(address, 'ipv4');
unusable.addAddress('fd00:ec2::254', 'ipv6');
unusable.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');

/** Whether a connection to this address is refused. IPv4 addresses inside IPv6 ones count as what they are. */
export function isBlocked(address: string, allowLoopback: boolean): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return unusable.check(address, family) || (!allowLoopback && loopback.check(address, family));
}

/** Node does not look up what is already an address, so that it is checked before. */
export const isBlockedLiteral = (host: string, allowLoopback: boolean): boolean =>
  isIP(host) !== 0 && isBlocked(host, allowLoopback);

/**
 * Resolves a name to the addresses that may be used; the connection then goes to one of these, without another lookup.
 * Fails with `refusal` if there is none.
 */
export const guardedLookup =
  (allowLoopback: boolean, refusal: () => Error): LookupFunction =>
  (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      const addresses: LookupAddress[] = found.filter(({ address }) => !isBlocked(address, allowLoopback));
      const [first] = addresses;
      if (!first) return done(refusal(), '');
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
