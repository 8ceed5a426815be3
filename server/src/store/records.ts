/** Records that have no rules of their own: what the store keeps of groups, departments, entries and sessions. */
import type { Fingerprint } from '@drawbridge/contract/uplink/facts';
import type { Geo } from '../domain/agents.ts';
import type { SessionOrigin } from '../domain/sessions.ts';
import type { RoleType } from '@drawbridge/contract/permissions';

/** Something of an account, by its number. */
export interface ObjectRef {
  accountId: number;
  id: number;
}

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
export interface AccessEntry {
  roleId: number;
  type: RoleType;
  system: boolean;
  agentId: number | null;
  groupId: number | null;
}

/** A granted role with the names of all it speaks of: to whom it is granted, and on what. */
export interface NamedAccessEntry extends AccessEntry {
  role: string;
  email: string | null;
  departmentId: number | null;
  department: string | null;
  agent: string | null;
  group: string | null;
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

/** A file that somebody attached to a device. */
export interface AttachedFile {
  id: number;
  accountId: number;
  agentId: number;
  name: string;
  size: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  digest: string;
  type: string;
  note: string;
  /** The e-mail address of who attached it. */
  author: string;
  time: number;
  /** Names the bytes in the blob store. */
  blobKey: string;
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
  /** False while the one who made it may not add devices: then none joins with it. */
  active: boolean;
}

/** A device as the gateway knows it by its key. */
export interface DeviceRef {
  id: number;
  accountId: number;
  deviceId: number;
}

/** What is compared to find machines that were installed twice. */
export interface MachineRecord {
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
  /** Null while it runs, and where it was not written down yet. */
  endedBy: EndedBy | null;
  bytes: number;
  agent: { id: number; name: string; group: string; geo: Geo; os: string; version: string } | null;
  /** Its recording, and what makes the addresses under which it is played. */
  video: { secret: string; size: number } | null;
  note: string;
}

/** Who ended a session; `lost` when it was cut and nobody came back. */
export type EndedBy = 'operator' | 'device' | 'server' | 'lost';

/** A session as those see it who hold it or come back to it. */
export interface StoredSession {
  id: number;
  accountId: number;
  memberId: number | null;
  agentId: number | null;
  invitationId: number | null;
  origin: SessionOrigin;
  permissions: readonly string[];
  record: boolean;
  stop: number | null;
  begun: boolean;
}

/** A key pair of X25519 by which an account's recordings are opened, base64url. */
export interface RecordingKeys {
  privateKey: string;
  publicKey: string;
}

/** A session that was recorded, as those see it who play it. */
export interface RecordedSession {
  id: number;
  accountId: number;
  agentId: number | null;
  invitationId: number | null;
  /** Who connected; empty for somebody without an account. */
  login: string;
  start: number;
  secret: string;
}

/** A part of a recording, as it lies in the blob store. */
export interface RecordedChunk {
  number: number;
  /** Milliseconds of the recording. */
  from: number;
  to: number;
  size: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  digest: string;
  /** Begins with a whole picture. */
  whole: boolean;
  blobKey: string;
}

/** What one device recorded between two cuts. */
export interface RecordedTake {
  id: number;
  publicKey: string;
  complete: boolean;
  chunks: RecordedChunk[];
}

/** Bytes that nothing refers to any more. */
export interface OrphanedBlob {
  accountId: number;
  blobKey: string;
}

export interface RecordingReads {
  keys(accountId: number): Promise<RecordingKeys | undefined>;
  /** How many bytes more the plan allows, below zero where there are too many; null where it has no limit. */
  remainingBytes(accountId: number): Promise<number | null>;
  /** Where a device adds to; also when it may not any more. */
  find(id: number): Promise<{ accountId: number; tokenDigest: string } | undefined>;
  session(id: number): Promise<RecordedSession | undefined>;
  /** In the order in which they were made, those without a chunk left out. */
  takes(accountId: number, sessionId: number): Promise<RecordedTake[]>;
  chunk(
    accountId: number,
    at: { sessionId: number; takeId: number; number: number },
  ): Promise<RecordedChunk | undefined>;
  /** Of these keys of the blob store, those that a chunk refers to. */
  referencedKeys(accountId: number, blobKeys: readonly string[]): Promise<string[]>;
}
