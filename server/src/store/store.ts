/**
 * What the service keeps, said without saying how. SQLite and PostgreSQL pass the same suite.
 *
 * Reads see what is committed. Changes are named functions that run in one transaction each, together with their line
 * in the audit log; when a change resolves, it is on disk.
 */
import type { Readable } from 'node:stream';
import type { Software } from '@drawbridge/contract/uplink/facts';
import type { Actor, AgentScope } from '../domain/access.ts';
import type { Agent, AgentSummary } from '../domain/agents.ts';
import type { ApiKey, KeyHolder, Member } from '../domain/members.ts';
import type { Plan, PlanState } from '../domain/plan.ts';
import type { Role } from '../domain/roles.ts';
import type { PanelSessionHolder } from '../domain/panel.ts';
import type { ConfirmMode, SessionValidity } from '../domain/sessions.ts';
import type { Invitation } from '../domain/support.ts';
import type { RoleType } from '@drawbridge/contract/permissions';
import type { AuditLine } from '../domain/audit.ts';
import type { AccountReads, AuditReads, BrandReads } from './account-records.ts';
import type {
  AttachedFile,
  Department,
  DepartmentDetails,
  Group,
  StoredSession,
  PlanUsage,
  Session,
  Enrolment,
  DeviceRef,
  MachineRecord,
  RecordingReads,
} from './records.ts';
import type { AccessReads, FactorReads, VisibilityReads, PanelReads } from './panel-records.ts';
import type { ChangeName, ChangeInput, ChangeOutput } from './changes.ts';

export interface Page {
  offset: number;
  limit: number;
}

/** What a list of devices needs to know of each; the rest is found by id when it is not known already. */
export interface ListedAgent {
  id: number;
  revision: number;
  groupId: number | null;
  groupName: string;
  linkTime: number;
  addedOverFiles: boolean;
  leaseUntil: number;
  lastTime: number;
  favorite: boolean;
}

type Viewer = Pick<Actor, 'accountId' | 'memberId'>;

export interface AgentFilter extends Partial<Page> {
  scope: AgentScope;
  search?: string | undefined;
  groupId?: number | undefined;
  /** Only those of these. */
  ids?: readonly number[] | undefined;
}

export interface HistoryFilter {
  agents: AgentScope;
  invitations: 'all' | 'own' | 'none';
  memberId: number;
  /** Only those to devices, or those of invitations. */
  kind?: 'agent' | 'support' | undefined;
  agentId?: number | undefined;
  invitationId?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
  video?: boolean | undefined;
  /** Whose connections. */
  email?: string | undefined;
  /** Only those that run. */
  live?: boolean | undefined;
}

export interface Reads {
  actors: {
    /** Whose key this is, with the grants of this moment; also for keys that are expired or revoked. */
    byKey(digest: string): Promise<KeyHolder | undefined>;
    /** Whose cookie this is, with the grants of this moment; also where the time of the session is over. */
    bySession(digest: string): Promise<PanelSessionHolder | undefined>;
    /** Any person of the account, as the rules see them. */
    byEmail(accountId: number, email: string): Promise<Actor | undefined>;
    byId(accountId: number, memberId: number): Promise<Actor | undefined>;
  };
  members: {
    find(accountId: number, email: string): Promise<Member | undefined>;
    list(
      accountId: number,
      filter: Page & { search?: string | undefined },
    ): Promise<{ total: number; members: (Member & { departments: { id: number; name: string }[] })[] }>;
    /** Every person with this address, the owners of accounts first. For the command line of the server's machine. */
    everywhere(email: string): Promise<Member[]>;
    /** The e-mail addresses of these people, those who are still there. */
    addresses(accountId: number, ids: readonly number[]): Promise<Map<number, string>>;
    /** Those who look after the server. */
    operators(): Promise<Member[]>;
    keys(accountId: number, memberId: number | 'all'): Promise<ApiKey[]>;
  };
  agents: {
    find(viewer: Viewer, by: { id: number } | { deviceId: number }): Promise<Agent | undefined>;
    list(viewer: Viewer, filter: AgentFilter): Promise<ListedAgent[]>;
    /** Those that are there, without their hardware. */
    summaries(viewer: Viewer, ids: readonly number[]): Promise<AgentSummary[]>;
    /** Devices of the account that are online now, with what is needed to choose who wakes another. */
    online(accountId: number, now: number): Promise<{ id: number; publicIp: string; addresses: string[] }[]>;
    notes(accountId: number, id: number): Promise<string | undefined>;
  };
  deviceIdentity: {
    byKey(publicKey: string): Promise<DeviceRef | undefined>;
    byId(id: number): Promise<DeviceRef | undefined>;
    /** The key by which the device proves who it is; undefined before it ever did. */
    publicKey(accountId: number, id: number): Promise<string | undefined>;
    /** The device whose permanent link has this path. */
    byPath(path: string): Promise<DeviceRef | undefined>;
    machines(accountId: number, scope: AgentScope): Promise<MachineRecord[]>;
    software(accountId: number, id: number): Promise<{ time: number; programs: Software }>;
    enrolments(accountId: number, now: number): Promise<Enrolment[]>;
    /** Devices that wait for approval. */
    pending(
      accountId: number,
    ): Promise<{ id: number; deviceId: number; name: string; os: string; ip: string; linkTime: number }[]>;
  };
  files: {
    find(accountId: number, id: number): Promise<AttachedFile | undefined>;
    /** Those of a device, oldest first. */
    list(accountId: number, agentId: number, page: Page): Promise<{ total: number; files: AttachedFile[] }>;
    /** How many more the plan allows, below zero where there are too many; null where it has no limit. */
    remaining(accountId: number): Promise<number | null>;
    /** Of these keys of the blob store, those that a file refers to. */
    referencedKeys(accountId: number, blobKeys: readonly string[]): Promise<string[]>;
  };
  groups: {
    find(accountId: number, id: number): Promise<Group | undefined>;
    /** The groups in which something in scope stands, in their order; all of them with `all`. */
    list(accountId: number, scope: AgentScope): Promise<Group[]>;
    settings(accountId: number, id: number): Promise<{ confirm: ConfirmMode } | undefined>;
  };
  roles: {
    find(accountId: number, id: number): Promise<Role | undefined>;
    list(
      accountId: number,
      filter: Page & { search?: string | undefined; type?: RoleType | undefined },
    ): Promise<Role[]>;
  };
  access: AccessReads;
  departments: {
    find(accountId: number, id: number): Promise<DepartmentDetails | undefined>;
    list(
      accountId: number,
      filter: Page & { search?: string | undefined },
    ): Promise<(Department & { size: number })[]>;
  };
  invitations: {
    find(accountId: number, id: number): Promise<Invitation | undefined>;
    /** The open ones, newest first; those nobody joined only when created after `bornAfter`. */
    open(accountId: number, owner: number | 'everyone', bornAfter: number): Promise<Invitation[]>;
    /** Of whatever account, for those who show a code that was made of it, or the address of the client's picture. */
    byId(id: number): Promise<Invitation | undefined>;
    byPreview(id: number, preview: string): Promise<Invitation | undefined>;
    /** Of these, those that are closed. */
    closedOf(ids: readonly number[]): Promise<number[]>;
    /** Whether the time of some client is over. */
    hasLapsed(now: number): Promise<boolean>;
  };
  sessions: {
    find(accountId: number, id: number): Promise<StoredSession | undefined>;
    /** By what lets its operator come back. */
    bySecret(id: number, secretDigest: string): Promise<StoredSession | undefined>;
    /** Those of these that are still there. */
    validity(ids: readonly number[]): Promise<SessionValidity[]>;
  };
  recordings: RecordingReads;
  panel: PanelReads;
  visibility: VisibilityReads;
  factors: FactorReads;
  brands: BrandReads;
  history: {
    list(accountId: number, filter: HistoryFilter & Page): Promise<{ total: number; sessions: Session[] }>;
    /** Those that come after a certain one in the list, from the newest on. */
    after(
      accountId: number,
      filter: HistoryFilter,
      last: Session | undefined,
      limit: number,
    ): Promise<Session[]>;
  };
  plan: {
    of(accountId: number): Promise<Plan>;
    /** Where the plan ends among the account's devices; the plan itself may be known already. */
    state(accountId: number, plan?: Plan): Promise<PlanState>;
    usage(accountId: number, now: number): Promise<PlanUsage>;
    /** How many invitations of this month are used. */
    invitations(accountId: number, now: number): Promise<number>;
  };
  audit: AuditReads;
  accounts: AccountReads;
}

export interface Store extends Reads {
  /** Runs one change and its audit line in one transaction. Resolves when it is on disk, with its outcome. */
  change<Name extends ChangeName>(
    name: Name,
    input: ChangeInput<Name>,
    line?: AuditLine,
  ): Promise<ChangeOutput<Name>>;
  /** True when no other process serves from this store. */
  isExclusive: boolean;
  /** The database's clock, in unix seconds: the same on every node. */
  now(): number;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Where the bytes of attached files and recordings lie. They lie there before anything refers to them and until nothing does any more:
 * after a crash there may be bytes without a file, never a file without bytes.
 */
export interface BlobStore {
  /** The most bytes that one file may have. */
  largest: number;
  /**
   * Takes the bytes as they come and puts them on disk, all of them or none. Where they lie is made up here and never
   * comes from outside. `broken` when they stop coming before their end.
   */
  put(
    accountId: number,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<Pick<AttachedFile, 'blobKey' | 'size' | 'digest'> | 'too_large' | 'broken'>;
  /** Undefined where they are not there, or not whole. */
  open(accountId: number, blobKey: string, size: number): Promise<OpenBlob | undefined>;
  remove(accountId: number, blobKey: string): Promise<void>;
  /** The accounts whose bytes lie here. */
  accounts(): Promise<number[]>;
  /** What has been lying here for longer than an upload takes, a part at a time: places, and uploads that broke off. */
  settled(accountId: number): AsyncIterable<string[]>;
}

export interface OpenBlob {
  /** From the first of these bytes to the last, included. Closes by itself when it ends. */
  read(first: number, last: number): Readable;
  /** For those who do not read after all. */
  close(): Promise<void>;
}
