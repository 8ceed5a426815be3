/** The server as a waker: it sends magic packets itself on those of its networks that a sleeping device is on. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { isInNetwork, magicPackets, wakeNetworks, type Network } from '@drawbridge/contract/uplink/wake';

/** True when packets for the adapters went out on a network that holds one of the device's addresses. */
export async function wakeNearby(macs: readonly string[], addresses: readonly string[]): Promise<boolean> {
  const shared = wakeNetworks(networkInterfaces()).filter((network) =>
    addresses.some((address) => isInNetwork(address, network)),
  );
  const sent = await Promise.allSettled(shared.map((network) => sendOn(network, macs)));
  return sent.some(({ status }) => status === 'fulfilled');
}

async function sendOn(network: Network, macs: readonly string[]): Promise<void> {
  const socket = createSocket('udp4');
  try {
    socket.bind(0, network.address);
    await once(socket, 'listening');
    socket.setBroadcast(true);
    for (const { bytes, port, to } of magicPackets(macs, network)) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      socket.send(bytes, port, to, (error) => (error ? reject(error) : resolve()));
      await promise;
    }
  } finally {
    socket.close();
  }
}
