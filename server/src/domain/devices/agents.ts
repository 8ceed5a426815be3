/** A device, and the rules about it that do not concern rights or the plan. */
import type { PolicyLayers } from './policies.ts';
import type { PlannedAgent } from '../people/plan.ts';

export interface Geo {
  ip: string;
  country: string;
  region: string;
  city: string;
}

/** The last session to a device. */
interface LastSession {
  id: number;
  startTime: number;
  stopTime: number | null;
  client: Geo & { userAgent: string };
}

/** Everything known of a device except its hardware, which is the largest part. */
export interface AgentSummary extends PlannedAgent {
  accountId: number;
  deviceId: number;
  groupId: number | null;
  groupName: string;
  name: string;
  lastTime: number;
  /** When the device stops counting as online; its gateway renews this while the connection is alive. */
  leaseUntil: number;
  geo: Geo;
  permanentEnabled: boolean;
  permanentPath: string | null;
  permanentPassword: string | null;
  /** What the device, its group and the account decide. */
  policies: Required<PolicyLayers>;
  /** What its group, or else the account, says about one-time links. */
  onetimeInherited: 'allow' | 'forbid';
  /** Whether its one-time links work. */
  onetimeAllowed: boolean;
  /** The secret from which one-time links and preview addresses of this device are derived. */
  secret: string;
  os: '' | 'win' | 'mac' | 'linux' | 'android';
  osUser: string;
  rdp: boolean;
  hibernate: boolean;
  powerSupply: boolean;
  version: string;
  installed: boolean;
  /** The version of the uplink that the agent used last. */
  uplinkVersion: number;
  favorite: boolean;
  /** False while the device waits for approval. */
  approved: boolean;
  lastSession: LastSession | null;
  sessionsTotal: number;
  /** Incremented by every change of the device: what was derived from it is valid until then. */
  revision: number;
}

export interface Agent extends AgentSummary {
  /** The system information as JSON text, in the shape of the contract. */
  hardware: string;
}

export const isOnline = (agent: { leaseUntil: number }, now: number): boolean => agent.leaseUntil > now;

/** A device that can send a magic packet for another. */
export interface Waker {
  id: number;
  publicIp: string;
  addresses: readonly string[];
}

const subnetOf = (address: string): string | undefined =>
  /^\d+\.\d+\.\d+\.\d+$/.test(address) ? address.split('.').slice(0, 3).join('.') : undefined;

/**
 * Up to three online devices that share the public address or a subnet with the sleeping one. Private subnets are the
 * same in many networks, so devices with the same public address come first.
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

/** The MAC addresses of the device's adapters that a magic packet can name. */
export function macsOf(hardware: { NetAdapters?: readonly { MACAddress: string }[] }): string[] {
  const macs = (hardware.NetAdapters ?? []).map((adapter) =>
    adapter.MACAddress.toLowerCase().replaceAll('-', ':'),
  );
  return [...new Set(macs)].filter(
    (mac) => /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac) && mac !== '00:00:00:00:00:00',
  );
}
