/**
 * What the service keeps, said without saying how. SQLite and PostgreSQL pass the same suite.
 *
 * Reads see what is committed. Changes are named functions that run in one transaction each, together with their line
 * in the audit log; when a change resolves, it is on disk.
 */
import type { Software } from '@drawbridge/contract/uplink/facts';
import type { Actor, AgentScope } from '../domain/access.ts';
import type { Agent, AgentSummary } from '../domain/agents.ts';
import type { ApiKey, KeyHolder, Member } from '../domain/members.ts';
import type { Plan, PlanState } from '../domain/plan.ts';
import type { Role } from '../domain/roles.ts';
import type { Invitation } from '../domain/support.ts';
import type { RoleType } from '@drawbridge/contract/permissions';
import type { AuditLine, AuditRow } from '../domain/audit.ts';
import type {
  Department,
  DepartmentDetails,
  Entry,
  Group,
  PlanUsage,
  Session,
  AccountSettings,
  Enrolment,
  KnownDevice,
  Likeness,
} from './records.ts';
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
}

export interface HistoryFilter {
  agents: AgentScope;
  invitations: 'all' | 'own' | 'none';
  memberId: number;
  agentId?: number | undefined;
  invitationId?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
  video?: boolean | undefined;
}

export interface Reads {
  actors: {
    /** Whose key this is, with the grants of this moment; also for keys that are expired or revoked. */
    byKey(digest: string): Promise<KeyHolder | undefined>;
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
    keys(accountId: number, memberId: number | 'all'): Promise<ApiKey[]>;
  };
  agents: {
    find(viewer: Viewer, by: { id: number } | { deviceId: number }): Promise<Agent | undefined>;
    list(viewer: Viewer, filter: AgentFilter): Promise<ListedAgent[]>;
    /** Those that are there, without their hardware. */
    summaries(viewer: Viewer, ids: readonly number[]): Promise<AgentSummary[]>;
    /** Devices of the account that are online now, with what is needed to choose who wakes another. */
    online(accountId: number, now: number): Promise<{ id: number; publicIp: string; addresses: string[] }[]>;
  };
  devices: {
    byKey(publicKey: string): Promise<KnownDevice | undefined>;
    byId(id: number): Promise<KnownDevice | undefined>;
    /** The device whose permanent link has this path. */
    byPath(path: string): Promise<KnownDevice | undefined>;
    likenesses(accountId: number, scope: AgentScope): Promise<Likeness[]>;
    software(accountId: number, id: number): Promise<{ time: number; programs: Software }>;
    enrolments(accountId: number, now: number): Promise<Enrolment[]>;
    /** Devices that wait for approval. */
    pending(
      accountId: number,
    ): Promise<{ id: number; deviceId: number; name: string; os: string; ip: string; linkTime: number }[]>;
  };
  groups: {
    find(accountId: number, id: number): Promise<Group | undefined>;
    /** The groups in which something in scope stands, in their order; all of them with `all`. */
    list(accountId: number, scope: AgentScope): Promise<Group[]>;
  };
  roles: {
    find(accountId: number, id: number): Promise<Role | undefined>;
    list(
      accountId: number,
      filter: Page & { search?: string | undefined; type?: RoleType | undefined },
    ): Promise<Role[]>;
  };
  access: {
    ofMember(accountId: number, memberId: number): Promise<Entry[]>;
    ofDepartment(accountId: number, departmentId: number): Promise<Entry[]>;
  };
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
  };
  history: {
    list(accountId: number, filter: HistoryFilter & Page): Promise<{ total: number; sessions: Session[] }>;
  };
  plan: {
    of(accountId: number): Promise<Plan>;
    /** Where the plan ends among the account's devices; the plan itself may be known already. */
    state(accountId: number, plan?: Plan): Promise<PlanState>;
    usage(accountId: number, now: number): Promise<PlanUsage>;
    /** How many invitations of this month are used. */
    invitations(accountId: number, now: number): Promise<number>;
  };
  audit: {
    list(
      accountId: number,
      filter: Page & {
        operation?: string | undefined;
        email?: string | undefined;
        from?: number | undefined;
        to?: number | undefined;
      },
    ): Promise<{ total: number; rows: AuditRow[] }>;
    /** The chain in order, a part at a time. */
    chain(accountId: number, afterSeq: number, limit: number): Promise<AuditRow[]>;
    head(accountId: number): Promise<{ seq: number; hash: string } | undefined>;
  };
  accounts: {
    list(): Promise<{ accountId: number; email: string; createTime: number }[]>;
    settings(accountId: number): Promise<AccountSettings>;
  };
}

export interface Store extends Reads {
  /** Runs one change and its audit line in one transaction. Resolves when it is on disk, with its outcome. */
  change<Name extends ChangeName>(
    name: Name,
    input: ChangeInput<Name>,
    line?: AuditLine,
  ): Promise<ChangeOutput<Name>>;
  /** True when no other process serves from this store. */
  alone: boolean;
  /** The database's clock, in unix seconds: the same on every node. */
  now(): number;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
