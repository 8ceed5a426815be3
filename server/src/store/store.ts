/**
 * What the service stores, independent of the database. SQLite and PostgreSQL pass the same tests. Reads see committed
 * data. A change is a named function that runs in one transaction with its audit line; when it resolves, it is durable.
 */
import type { MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import type { DeviceStanding } from './nodes/node-records.ts';
import type { UpdateReads } from './devices/update-records.ts';
import type { IdentityReads } from './people/identity-reads.ts';
import type { Readable } from 'node:stream';
import type { Software } from '@drawbridge/contract/uplink/facts';
import type { Actor, AgentScope } from '../domain/people/access.ts';
import type { Agent, AgentSummary } from '../domain/devices/agents.ts';
import type { PolicyLayers } from '../domain/devices/policies.ts';
import type { ApiKey, KeyHolder, Member } from '../domain/people/members.ts';
import type { Plan, PlanState } from '../domain/people/plan.ts';
import type { Role } from '../domain/people/roles.ts';
import type { PanelSessionHolder } from '../domain/people/panel.ts';
import type { SessionValidity } from '../domain/sessions/sessions.ts';
import type { RoleType } from '@drawbridge/contract/permissions';
import type { AuditLine } from '../domain/audit.ts';
import type {
  AccountReads,
  AuditReads,
  BrandReads,
  HistoryFilter,
  InvitationReads,
  LinkReads,
} from './people/account-records.ts';
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
  NumberedPolicy,
  RecordingReads,
} from './records.ts';
import type { AccessReads, FactorReads, VisibilityReads, PanelReads } from './people/panel-records.ts';
import type { NotificationReads } from './notifications/notification-records.ts';
import type { ApprovalReads } from './sessions/approval-records.ts';
import type { ChangeName, ChangeInput, ChangeOutput } from './changes.ts';

export interface Page {
  offset: number;
  limit: number;
}

type SearchPage = Page & { search?: string | undefined };

/** What a list of devices needs of each; the rest is read by id if it is not cached. */
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
  /** What its group, or else the account, says about one-time links. */
  onetimeInherited: 'allow' | 'forbid';
}

type Viewer = Pick<Actor, 'accountId' | 'memberId'>;

export interface AgentFilter extends Partial<Page> {
  scope: AgentScope;
  search?: string | undefined;
  groupId?: number | undefined;
  /** Only devices with one of these ids. */
  ids?: readonly number[] | undefined;
}

export interface Reads extends IdentityReads {
  actors: {
    /** The holder of this key with their current grants, even if the key is expired or revoked. */
    byKey(digest: string): MaybePromise<KeyHolder | undefined>;
    /** The person with this cookie and their current grants, even if the session has expired. */
    bySession(digest: string): Promise<PanelSessionHolder | undefined>;
    /** A person of the account, as the access rules see them. */
    byEmail(accountId: number, email: string): Promise<Actor | undefined>;
    byId(accountId: number, memberId: number): Promise<Actor | undefined>;
  };
  members: {
    find(accountId: number, email: string): Promise<Member | undefined>;
    list(
      accountId: number,
      filter: SearchPage,
    ): Promise<{ total: number; members: (Member & { departments: { id: number; name: string }[] })[] }>;
    /** Everyone with this e-mail address, owners of accounts first. For the command line on the server's machine. */
    everywhere(email: string): Promise<Member[]>;
    /** The e-mail addresses of those of these people who still exist. */
    addresses(accountId: number, ids: readonly number[]): Promise<Map<number, string>>;
    /** The names of those of these people who have one, with their e-mail addresses. */
    names(accountId: number, emails: readonly string[]): Promise<{ email: string; name: string }[]>;
    operators(): Promise<Member[]>;
    keys(accountId: number, memberId: number | 'all'): Promise<ApiKey[]>;
  };
  agents: {
    find(viewer: Viewer, by: { id: number } | { deviceId: number }): MaybePromise<Agent | undefined>;
    list(viewer: Viewer, filter: AgentFilter): Promise<ListedAgent[]>;
    /** Increases with every change that lists show, except changes of rights. */
    listVersion(accountId: number): MaybePromise<number>;
    /** Those that exist, without their hardware. */
    summaries(viewer: Viewer, ids: readonly number[]): Promise<AgentSummary[]>;
    /** Devices of the account that are online now, with what is needed to choose one that wakes another. */
    online(accountId: number, now: number): Promise<{ id: number; publicIp: string; addresses: string[] }[]>;
    notes(accountId: number, id: number): Promise<string | undefined>;
  };
  deviceIdentity: {
    byKey(publicKey: string): Promise<DeviceRef | undefined>;
    byId(id: number): Promise<DeviceRef | undefined>;
    /** Those of these devices that exist: whether they are approved, the epoch of their latest arrival, and their lease. */
    standings(ids: readonly number[]): Promise<DeviceStanding[]>;
    /** The key that the device proves its identity with; undefined before it first did so. */
    publicKey(accountId: number, id: number): Promise<string | undefined>;
    /** The device whose permanent link has this path. */
    byPath(path: string): Promise<DeviceRef | undefined>;
    machines(accountId: number, scope: AgentScope): Promise<MachineRecord[]>;
    software(accountId: number, id: number): Promise<{ time: number; programs: Software }>;
    enrolments(accountId: number, now: number): Promise<Enrolment[]>;
    pending(
      accountId: number,
    ): Promise<{ id: number; deviceId: number; name: string; os: string; ip: string; linkTime: number }[]>;
  };
  updates: UpdateReads;
  files: {
    find(accountId: number, id: number): Promise<AttachedFile | undefined>;
    /** The files of a device, oldest first. */
    list(accountId: number, agentId: number, page: Page): Promise<{ total: number; files: AttachedFile[] }>;
    /** How many more files the plan allows; negative when exceeded, null without a limit. */
    remaining(accountId: number): Promise<number | null>;
    /** Those of these blob keys that a file refers to. */
    referencedKeys(accountId: number, blobKeys: readonly string[]): Promise<string[]>;
  };
  policies: {
    /** The number of the newest policies of these accounts. */
    versions(accountIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
    /** What applies to these devices. */
    ofAgents(accountId: number, ids: readonly number[]): Promise<({ id: number } & NumberedPolicy)[]>;
  };
  groups: {
    find(accountId: number, id: number): Promise<Group | undefined>;
    /** The groups that contain something in scope, in their order; all groups for `all`. */
    list(accountId: number, scope: AgentScope): MaybePromise<Group[]>;
    /** What the group and the account decide. */
    policy(accountId: number, id: number): Promise<Required<Omit<PolicyLayers, 'device'>> | undefined>;
  };
  roles: {
    find(accountId: number, id: number): Promise<Role | undefined>;
    list(accountId: number, filter: SearchPage & { type?: RoleType | undefined }): Promise<Role[]>;
  };
  access: AccessReads;
  departments: {
    find(accountId: number, id: number): Promise<DepartmentDetails | undefined>;
    list(accountId: number, filter: SearchPage): Promise<(Department & { size: number })[]>;
  };
  invitations: InvitationReads;
  links: LinkReads;
  sessions: {
    find(accountId: number, id: number): Promise<StoredSession | undefined>;
    /** By the secret with which its operator returns. */
    bySecret(id: number, secretDigest: string): Promise<StoredSession | undefined>;
    /** Those of these sessions that still exist. */
    validity(ids: readonly number[]): Promise<SessionValidity[]>;
  };
  approvals: ApprovalReads;
  recordings: RecordingReads;
  panel: PanelReads;
  visibility: VisibilityReads;
  factors: FactorReads;
  brands: BrandReads;
  notifications: NotificationReads;
  history: {
    list(accountId: number, filter: HistoryFilter & Page): Promise<{ total: number; sessions: Session[] }>;
    /** The sessions that follow `last` in the list, newest first. */
    after(
      accountId: number,
      filter: HistoryFilter,
      last: Session | undefined,
      limit: number,
    ): Promise<Session[]>;
  };
  plan: {
    of(accountId: number): Promise<Plan>;
    /** Where the plan ends among the account's devices; `plan` saves reading it again. */
    state(accountId: number, plan?: Plan): MaybePromise<PlanState>;
    usage(accountId: number, now: number): Promise<PlanUsage>;
    /** How many invitations were used this month. */
    invitations(accountId: number, now: number): Promise<number>;
  };
  audit: AuditReads;
  accounts: AccountReads;
}

export interface Store extends Reads {
  /** Runs one change and its audit line in one transaction. Resolves with the outcome when it is durable. */
  change<Name extends ChangeName>(
    name: Name,
    input: ChangeInput<Name>,
    line?: AuditLine,
  ): Promise<ChangeOutput<Name>>;
  /** True when no other process uses this store. */
  isExclusive: boolean;
  /** The database's clock, in unix seconds: the same on every node. */
  now(): number;
  /** Resolves when the database has stored something. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Stores the bytes of files and recordings: before anything refers to them, and until nothing does, even after a crash. */
export interface BlobStore {
  /** The largest size of one file in bytes. */
  largest: number;
  /** Stores the bytes durably under a new key, all or none. Returns `broken` when they stop before their end. */
  put(
    accountId: number,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<Pick<AttachedFile, 'blobKey' | 'size' | 'digest'> | 'too_large' | 'broken'>;
  /** Returns undefined if the bytes are missing or incomplete. */
  open(accountId: number, blobKey: string, size: number): Promise<OpenBlob | undefined>;
  remove(accountId: number, blobKey: string): Promise<void>;
  /** The accounts that have bytes here; only some of them once the signal says to stop. */
  accounts(signal?: AbortSignal): Promise<number[]>;
  /** Blob keys and interrupted uploads that are older than an upload can take, in batches. */
  settled(accountId: number): AsyncIterable<string[]>;
  /** Removes uploads that began longer ago than one can take and are not among `settled`; resolves to their number. */
  endUploads?(signal?: AbortSignal): Promise<number>;
}

/** Stores the pictures of brands as blobs, each whole. Reading one that is missing or incomplete returns undefined. */
export interface PictureStore {
  put(accountId: number, bytes: Uint8Array): Promise<{ blobKey: string; size: number }>;
  read(picture: { accountId: number; blobKey: string; size: number }): Promise<Uint8Array | undefined>;
  blobs: BlobStore;
}

export interface OpenBlob {
  /** Reads from the first to the last byte, inclusive. Closes itself at the end. */
  read(first: number, last: number): Readable;
  /** For callers that do not read. */
  close(): Promise<void>;
}
