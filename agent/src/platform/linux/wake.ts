/** Magic packets: six times FF and sixteen times the address, to everybody on every network of the machine. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { NotPossible } from '../platform.ts';

/** The ports that sleeping machines listen on. */
const ports = [9, 7];

export const magicPacket = (mac: string): Buffer => {
  const address = Buffer.from(mac.replaceAll(':', ''), 'hex');
  return Buffer.concat([Buffer.alloc(6, 0xff), ...Array.from({ length: 16 }, () => address)]);
};

/** The address that reaches everybody on a network. */
export function broadcastOf(address: string, netmask: string): string {
  const mask = netmask.split('.').map(Number);
  return address
    .split('.')
    .map((part, index) => (Number(part) & mask[index]!) | (~mask[index]! & 0xff))
    .join('.');
}

const networks = (): { address: string; broadcast: string }[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((each) => each.family === 'IPv4' && !each.internal)
    .map(({ address, netmask }) => ({ address, broadcast: broadcastOf(address, netmask) }));

export async function sendMagicPackets(macs: readonly string[]): Promise<void> {
  const all = networks();
  if (all.length === 0) throw new NotPossible('This device is on no network.');
  const sent = await Promise.allSettled(all.map((network) => sendOn(network, macs.map(magicPacket))));
  const failed = sent.find((each) => each.status === 'rejected');
  if (failed && sent.every((each) => each.status === 'rejected'))
    throw new NotPossible(`No packet could be sent: ${String(failed.reason)}`);
}

async function sendOn(
  { address, broadcast }: { address: string; broadcast: string },
  packets: readonly Buffer[],
): Promise<void> {
  const socket = createSocket('udp4');
  try {
    socket.bind(0, address);
    await once(socket, 'listening');
    socket.setBroadcast(true);
    for (const packet of packets) for (const port of ports) await send(socket, packet, port, broadcast);
  } finally {
    socket.close();
  }
}

const send = (socket: Socket, packet: Buffer, port: number, address: string): Promise<void> =>
  new Promise((resolve, reject) =>
    socket.send(packet, port, address, (error) => (error ? reject(error) : resolve())),
  );
