/** Addresses that the server does not connect to for an account: its own machine, its network segment, and the metadata of clouds. */
import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { bytesOfAddress } from '../../domain/networks.ts';

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
/** Where clouds answer their machines outside of link-local addresses: Alibaba, Oracle, Azure, AWS. */
for (const address of ['100.100.100.200', '192.0.0.192', '168.63.129.16'])
  unusable.addAddress(address, 'ipv4');
unusable.addAddress('fd00:ec2::254', 'ipv6');

/** IPv6 networks in which translators and tunnels reach IPv4 addresses, and the byte at which that address begins. */
const embeddings = (
  [
    ['::', 96, 12],
    ['::ffff:0:0:0', 96, 12],
    ['64:ff9b::', 96, 12],
    ['64:ff9b:1::', 48, 12],
    ['2002::', 16, 2],
  ] as const
).map(([network, bits, begin]) => {
  const addresses = new BlockList();
  addresses.addSubnet(network, bits, 'ipv6');
  return { addresses, begin };
});

function ipv4Inside(address: string): string | undefined {
  const found = embeddings.find(({ addresses }) => addresses.check(address, 'ipv6'));
  return (
    found &&
    bytesOfAddress(address)
      .slice(found.begin, found.begin + 4)
      .join('.')
  );
}

/** Whether a connection to this address is refused. IPv4 addresses inside IPv6 ones count as what they are. */
export function isBlocked(address: string, allowLoopback: boolean): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (loopback.check(address, family)) return !allowLoopback;
  if (unusable.check(address, family)) return true;
  const inner = family === 'ipv6' ? ipv4Inside(address) : undefined;
  return inner !== undefined && isBlocked(inner, allowLoopback);
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
