/** Wake-on-LAN by the server itself: sends magic packets on those of its networks that contain the sleeping device. */
import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { isInNetwork, broadcastMagicPackets, wakeNetworks } from '@drawbridge/contract/uplink/wake';

/** Resolves to true when packets were sent on a network that contains one of the device's addresses. */
export async function wakeNearby(macs: readonly string[], addresses: readonly string[]): Promise<boolean> {
  const shared = wakeNetworks(networkInterfaces()).filter((network) =>
    addresses.some((address) => isInNetwork(address, network)),
  );
  const sent = await Promise.allSettled(
    shared.map((network) => broadcastMagicPackets(network, macs, createSocket('udp4'))),
  );
  return sent.some(({ status }) => status === 'fulfilled');
}
