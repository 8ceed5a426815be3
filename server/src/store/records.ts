/** Records that have no rules of their own: what the store keeps of groups, departments, entries and sessions. */
import type { Fingerprint } from '@drawbridge/contract/uplink/facts';
import type { Geo } from '../domain/agents.ts';
import type { RoleType } from '@drawbridge/contract/permissions';

export interface Group {
  id: number;
  accountId: number;
  name: string;
}

export interface Department {
  id: number;
  name: string;
  ldap: boolean;
  worker: boolean;
  createTime: number;
  modifyTime: number;
}

export interface DepartmentDetails extends Department {
  members: { id: number; email: string }[];
}

/** One granted role. */
export interface Entry {
  roleId: number;
  type: RoleType;
  system: boolean;
  agentId: number | null;
  groupId: number | null;
}

/** A device as it joins an account. */
export interface NewAgent {
  accountId: number;
  /** Public identifiers to try in order; the first that is free is taken. */
  deviceIds: readonly number[];
  name: string;
  groupId: number | null;
  secret: string;
  os: string;
  osUser?: string;
  version?: string;
  geo?: Geo;
  addresses?: readonly string[];
  rdp?: boolean;
  hibernate?: boolean;
  powerSupply?: boolean;
  installed?: boolean;
  /** JSON text in the shape of the contract. */
  hardware: string;
  publicKey?: string;
  approved?: boolean;
  fingerprint?: Fingerprint;
}

/** A token with which devices join. */
export interface Enrolment {
  id: number;
  email: string;
  groupId: number | null;
  uses: number;
  usesLeft: number;
  createTime: number;
  expireTime: number;
}

/** A device as the gateway knows it by its key. */
export interface KnownDevice {
  id: number;
  accountId: number;
  deviceId: number;
}

/** What is compared to find machines that were installed twice. */
export interface Likeness {
  id: number;
  deviceId: number;
  name: string;
  leaseUntil: number;
  lastTime: number;
  machineId: string;
  serial: string;
  macs: readonly string[];
  copiedTime: number | null;
}

export interface AccountSettings {
  approveDevices: boolean;
  record: boolean;
}

export interface PlanUsage {
  computers: number;
  invitations: number;
  files: number;
  requests: number;
  recordingMb: number;
}

/** One connection, past or running. */
export interface Session {
  id: number;
  start: number;
  stop: number | null;
  invitationId: number | null;
  login: string;
  userAgent: string;
  geo: Geo;
  bytes: number;
  agent: { id: number; name: string; group: string; geo: Geo; os: string; version: string } | null;
  video: { url: string; size: number } | null;
}
