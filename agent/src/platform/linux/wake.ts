/** Sends magic packets to everybody on every network of the machine. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { magicPackets, wakeNetworks, type MagicPacket, type Network } from '@drawbridge/contract/uplink/wake';
import { NotPossible } from '../platform.ts';

export async function sendMagicPackets(macs: readonly string[]): Promise<void> {
  const all = wakeNetworks(networkInterfaces());
  if (all.length === 0) throw new NotPossible('This device is on no network.');
  const sent = await Promise.allSettled(all.map((network) => sendOn(network, macs)));
  const failed = sent.find((each) => each.status === 'rejected');
  if (failed && sent.every((each) => each.status === 'rejected'))
    throw new NotPossible(`No packet could be sent: ${String(failed.reason)}`);
}

async function sendOn(network: Network, macs: readonly string[]): Promise<void> {
  const socket = createSocket('udp4');
  try {
    socket.bind(0, network.address);
    await once(socket, 'listening');
    socket.setBroadcast(true);
    for (const packet of magicPackets(macs, network)) await send(socket, packet);
  } finally {
    socket.close();
  }
}

const send = (socket: Socket, { bytes, port, to }: MagicPacket): Promise<void> =>
  new Promise((resolve, reject) =>
    socket.send(bytes, port, to, (error) => (error ? reject(error) : resolve())),
  );
