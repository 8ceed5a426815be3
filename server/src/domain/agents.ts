/** A device, and the rules about it that are not about rights or the plan. */
import type { PlannedAgent } from './plan.ts';

export interface Geo {
  ip: string;
  country: string;
  region: string;
  city: string;
}

/** The last connection to a device. */
export interface LastSession {
  id: number;
  startTime: number;
  stopTime: number | null;
  client: Geo & { userAgent: string };
}

/** All that is known of a device but its hardware, which is most of it. */
export interface AgentSummary extends PlannedAgent {
  accountId: number;
  deviceId: number;
  groupId: number | null;
  groupName: string;
  name: string;
  lastTime: number;
  /** Until when the device counts as online; its gateway renews this while the channel is alive. */
  leaseUntil: number;
  geo: Geo;
  permanentEnabled: boolean;
  permanentPath: string | null;
  permanentPassword: string | null;
  onetimeAllowed: boolean;
  /** What one-time links and preview addresses of this device are derived from. */
  secret: string;
  os: '' | 'win' | 'mac' | 'linux' | 'android';
  osUser: string;
  rdp: boolean;
  hibernate: boolean;
  powerSupply: boolean;
  version: string;
  installed: boolean;
  favorite: boolean;
  /** False while the device waits for somebody to approve it. */
  approved: boolean;
  lastSession: LastSession | null;
  sessionsTotal: number;
  /** Changes with every change of the device: what was derived from it can be kept until then. */
  revision: number;
}

export interface Agent extends AgentSummary {
  /** The system information as JSON text, in the shape of the contract. */
  hardware: string;
}

export const isOnline = (agent: { leaseUntil: number }, now: number): boolean => agent.leaseUntil > now;

/** A device that could send a magic packet for another. */
export interface Waker {
  id: number;
  publicIp: string;
  addresses: readonly string[];
}

const subnetOf = (address: string): string | undefined =>
  /^\d+\.\d+\.\d+\.\d+$/.test(address) ? address.split('.').slice(0, 3).join('.') : undefined;

/**
 * Up to three of the online devices that share the public address or a subnet with the sleeping one. Private subnets
 * are the same in many places, so those behind the same public address come first.
 */
export function wakersOf(sleeper: Waker, online: readonly Waker[]): Waker[] {
  const subnets = new Set(sleeper.addresses.map(subnetOf).filter((each) => each !== undefined));
  const others = online.filter((other) => other.id !== sleeper.id);
  const sameAddress = others.filter(
    (other) => sleeper.publicIp !== '' && other.publicIp === sleeper.publicIp,
  );
  const sameSubnet = others.filter((other) =>
    other.addresses.some((each) => subnets.has(subnetOf(each) ?? '')),
  );
  return [...new Set([...sameAddress, ...sameSubnet])].slice(0, 3);
}

/** The network addresses of the device's adapters that a magic packet can name. */
export function macsOf(hardware: { NetAdapters?: readonly { MACAddress: string }[] }): string[] {
  const macs = (hardware.NetAdapters ?? []).map((adapter) =>
    adapter.MACAddress.toLowerCase().replaceAll('-', ':'),
  );
  return [...new Set(macs)].filter(
    (mac) => /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac) && mac !== '00:00:00:00:00:00',
  );
}
