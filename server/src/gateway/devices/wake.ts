/** The server as a waker: it sends magic packets itself on those of its networks that a sleeping device is on. */
import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { isInNetwork, broadcastMagicPackets, wakeNetworks } from '@drawbridge/contract/uplink/wake';

/** True when packets for the adapters went out on a network that holds one of the device's addresses. */
export async function wakeNearby(macs: readonly string[], addresses: readonly string[]): Promise<boolean> {
  const shared = wakeNetworks(networkInterfaces()).filter((network) =>
    addresses.some((address) => isInNetwork(address, network)),
  );
  const sent = await Promise.allSettled(
    shared.map((network) => broadcastMagicPackets(network, macs, createSocket('udp4'))),
  );
  return sent.some(({ status }) => status === 'fulfilled');
}
