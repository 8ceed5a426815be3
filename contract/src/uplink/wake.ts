/** Wake-on-LAN: builds magic packets and broadcasts them on a network. */

/** A network that a machine is connected to. */
export interface Network {
  /** The machine's own address there. */
  address: string;
  netmask: string;
}

/** An adapter's address as the operating system lists it. */
interface InterfaceAddress extends Network {
  family: string;
  internal: boolean;
}

export interface MagicPacket {
  bytes: Uint8Array;
  port: number;
  /** The broadcast address of the network. */
  to: string;
}

/** The ports that sleeping machines listen on. */
const ports = [9, 7];

/** The networks on which a magic packet can be sent. It is a broadcast, which only IPv4 has. */
export const wakeNetworks = (
  interfaces: Readonly<Record<string, readonly InterfaceAddress[] | undefined>>,
): Network[] =>
  Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter((each) => each.family === 'IPv4' && !each.internal)
    .map(({ address, netmask }) => ({ address, netmask }));

/** Six times FF and sixteen times the MAC address, for every adapter and port. */
export const magicPackets = (macs: readonly string[], { address, netmask }: Network): MagicPacket[] =>
  macs.flatMap((mac) => {
    const own = mac.split(':').map((part) => Number.parseInt(part, 16));
    const bytes = Uint8Array.from([...Array<number>(6).fill(0xff), ...Array(16).fill(own).flat()]);
    return ports.map((port) => ({ bytes, port, to: broadcastOf(address, netmask) }));
  });

/** The part of a datagram socket's interface that is needed. */
interface DatagramSocket {
  on(event: 'error', listener: (error: Error) => void): unknown;
  bind(port: number, address: string, listening: () => void): unknown;
  setBroadcast(on: boolean): void;
  send(bytes: Uint8Array, port: number, to: string, sent: (error: Error | null) => void): void;
  close(): unknown;
}

/** Broadcasts the packets for these adapters on the network, then closes the socket. */
export async function broadcastMagicPackets(
  network: Network,
  macs: readonly string[],
  socket: DatagramSocket,
): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.bind(0, network.address, resolve);
    });
    socket.setBroadcast(true);
    for (const { bytes, port, to } of magicPackets(macs, network))
      await new Promise<void>((resolve, reject) =>
        socket.send(bytes, port, to, (error) => (error ? reject(error) : resolve())),
      );
  } finally {
    socket.close();
  }
}

function broadcastOf(address: string, netmask: string): string {
  const mask = partsOf(netmask);
  return partsOf(address)
    .map((part, index) => (part & mask[index]!) | (~mask[index]! & 0xff))
    .join('.');
}

/** Whether an IPv4 address is in the network; false for any other address. */
export const isInNetwork = (other: string, { address, netmask }: Network): boolean =>
  /^\d+\.\d+\.\d+\.\d+$/.test(other) && broadcastOf(other, netmask) === broadcastOf(address, netmask);

const partsOf = (address: string): number[] => address.split('.').map(Number);
