/** Broadcasts magic packets on every network of the machine. */
import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { broadcastMagicPackets, wakeNetworks } from '@drawbridge/contract/uplink/wake';
import { NotPossible } from './platform.ts';

export async function wakeMachines(macs: readonly string[]): Promise<void> {
  const all = wakeNetworks(networkInterfaces());
  if (all.length === 0) throw new NotPossible('This device is not connected to a network.');
  const sent = await Promise.allSettled(
    all.map((network) => broadcastMagicPackets(network, macs, createSocket('udp4'))),
  );
  const failed = sent.find((each) => each.status === 'rejected');
  if (failed && sent.every((each) => each.status === 'rejected'))
    throw new NotPossible(`No packet could be sent: ${String(failed.reason)}`);
}
