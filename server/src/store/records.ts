/** Records without rules of their own: groups, departments, grants, sessions and others. */
import type { Policy } from '@drawbridge/contract/policy';
import type { Fingerprint } from '@drawbridge/contract/uplink/facts';
import type { Geo } from '../domain/devices/agents.ts';
import type { OwnPolicy } from '../domain/devices/policies.ts';
import type { SessionOrigin } from '../domain/sessions/sessions.ts';
import type { RoleType } from '@drawbridge/contract/permissions';

/** An object of an account, by its id. */
export interface ObjectRef {
  accountId: number;
  id: number;
}

export interface Group {
  id: number;
  accountId: number;
  name: string;
}

/** The policy that applies to a device, with the number under which it is sent. */
export interface NumberedPolicy {
  number: number;
  policy: Policy;
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
  /** When it ends; null for a grant without an end. */
  until: number | null;
}

/** A granted role with the names of its holder and its scope. */
export interface NamedAccessEntry extends AccessEntry {
  role: string;
  email: string | null;
  /** The name of the person; null for a department. */
  name: string | null;
  departmentId: number | null;
  department: string | null;
  agent: string | null;
  group: string | null;
}

/** A device that joins an account. */
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

/** A file attached to a device. */
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
  /** The e-mail address of the person who attached it. */
  author: string;
  time: number;
  /** Names the bytes in the blob store. */
  blobKey: string;
}

/** A token that devices join with. */
export interface Enrolment {
  id: number;
  email: string;
  groupId: number | null;
  uses: number;
  usesLeft: number;
  createTime: number;
  expireTime: number;
  /** False while the creator of the token may not add devices: then no device can join with it. */
  active: boolean;
}

/** A device as the gateway identifies it by its key. */
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
  policy: OwnPolicy;
}

export interface PlanUsage {
  computers: number;
  invitations: number;
  files: number;
  requests: number;
  recordingMb: number;
}

/** One session, past or running. */
export interface Session {
  id: number;
  start: number;
  stop: number | null;
  invitationId: number | null;
  login: string;
  userAgent: string;
  geo: Geo;
  /** Null while the session runs, and if its end was not recorded yet. */
  endedBy: EndedBy | null;
  bytes: number;
  agent: { id: number; name: string; group: string; geo: Geo; os: string; version: string } | null;
  /** Its recording, with the secret that playback addresses are derived from. */
  video: { secret: string; size: number } | null;
  note: string;
  /** Why the operator was given access for a while; empty if it lasted. */
  reason: string;
}

/** Who ended a session; `lost` when the operator was disconnected and did not return. */
export type EndedBy = 'operator' | 'device' | 'server' | 'lost';

/** A session as needed by those who run it or return to it. */
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

/** An X25519 key pair that decrypts an account's recordings, base64url. */
export interface RecordingKeys {
  privateKey: string;
  publicKey: string;
}

/** A recorded session, as needed for playback. */
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

/** A part of a recording, as stored in the blob store. */
export interface RecordedChunk {
  number: number;
  /** Milliseconds since the start of the recording. */
  from: number;
  to: number;
  size: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  digest: string;
  /** Whether it begins with a full picture. */
  whole: boolean;
  blobKey: string;
}

/** What one device recorded without interruption. */
export interface RecordedTake {
  id: number;
  publicKey: string;
  complete: boolean;
  chunks: RecordedChunk[];
}

/** A blob that nothing refers to any more. */
export interface OrphanedBlob {
  accountId: number;
  blobKey: string;
}

export interface RecordingReads {
  keys(accountId: number): Promise<RecordingKeys | undefined>;
  /** How many more bytes the plan allows; negative when exceeded, null without a limit. */
  remainingBytes(accountId: number): Promise<number | null>;
  /** The recording that a device adds to, even when it may no longer do so. */
  find(id: number): Promise<{ accountId: number; tokenDigest: string } | undefined>;
  session(id: number): Promise<RecordedSession | undefined>;
  /** In the order in which they were made, without those that have no chunk. */
  takes(accountId: number, sessionId: number): Promise<RecordedTake[]>;
  chunk(
    accountId: number,
    at: { sessionId: number; takeId: number; number: number },
  ): Promise<RecordedChunk | undefined>;
  /** Those of these blob keys that a chunk refers to. */
  referencedKeys(accountId: number, blobKeys: readonly string[]): Promise<string[]>;
}
