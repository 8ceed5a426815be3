/** What can be read of accounts as a whole, of their brands, invitations, links, history and audit logs. Part of the store's interface. */
import type { AgentScope } from '../../domain/people/access.ts';
import type { AuditRow } from '../../domain/audit.ts';
import type { StoredBrand } from '../../domain/people/brand.ts';
import type { OnetimeLink, SingleUseLink } from '../../domain/sessions/links.ts';
import type { Plan } from '../../domain/people/plan.ts';
import type { Invitation } from '../../domain/support.ts';
import type { AccountSettings, PlanUsage } from '../records.ts';

/** An account as server administrators see it. */
export interface AccountUsage {
  accountId: number;
  /** The e-mail address of the owner. */
  owner: string;
  createTime: number;
  members: number;
  online: number;
  plan: Plan;
  used: PlanUsage;
}

export interface AccountReads {
  list(): Promise<{ accountId: number; email: string; createTime: number }[]>;
  /**
   * The accounts of the server with their usage, in the given order or oldest first. The number of statements does not depend on the number
   * of accounts.
   */
  listUsage(filter: {
    search?: string | undefined;
    offset: number;
    limit: number;
    now: number;
    sort?: 'owner' | 'members' | 'devices' | 'since' | undefined;
    descending?: boolean;
  }): Promise<{ total: number; accounts: AccountUsage[] }>;
  exists(accountId: number): Promise<boolean>;
  settings(accountId: number): Promise<AccountSettings>;
  /** Whether the account has a device, ever invited a client, and has a person beside its owner. */
  firstSteps(accountId: number): Promise<{ device: boolean; client: boolean; technician: boolean }>;
}

export interface BrandReads {
  of(accountId: number): Promise<StoredBrand | undefined>;
  /** The brand of the server's first account: shown before it is known who somebody is. */
  ofServer(): Promise<StoredBrand | undefined>;
  /** A picture by its digest, regardless of the account. */
  logo(digest: string): Promise<StoredPicture | undefined>;
  /** The picture of an account. */
  logoOf(accountId: number): Promise<StoredPicture | undefined>;
  /** The accounts whose pictures are in the database. */
  inDatabase(): Promise<number[]>;
  /** Those whose pictures are only in the blob store. */
  onlyStored(): Promise<number[]>;
  /** False while a server may run that finds pictures only in the database. */
  mayLeaveDatabase(): Promise<boolean>;
  /** Those of these blob keys that a brand refers to. */
  referencedKeys(accountId: number, blobKeys: readonly string[]): Promise<string[]>;
}

/** The picture of a brand. It is in the database, in the blob store or in both. */
export interface StoredPicture {
  accountId: number;
  type: string;
  digest: string;
  /** Empty if it is only in the blob store. */
  bytes: Uint8Array;
  /** Empty if it is only in the database. */
  blobKey: string;
  /** Its size in the blob store. */
  size: number;
}

export interface InvitationReads {
  find(accountId: number, id: number): Promise<Invitation | undefined>;
  /** The names of the clients of these invitations, open or closed; those without a name are left out. */
  clientNames(accountId: number, ids: readonly number[]): Promise<{ id: number; clientName: string }[]>;
  /** The open ones, newest first; those that nobody joined only if created after `bornAfter`. */
  open(accountId: number, owner: number | 'everyone', bornAfter: number): Promise<Invitation[]>;
  /** In any account, for callers who present a code derived from it, or the address of the client's picture. */
  byId(id: number): Promise<Invitation | undefined>;
  byPreview(id: number, preview: string): Promise<Invitation | undefined>;
  /** The one with this code that is not closed, in any account, and the e-mail address of the account's owner. */
  byCode(code: string): Promise<{ invitation: Invitation; owner: string } | undefined>;
  /**
   * The connections of the clients of these invitations, by invitation: empty where there is none, or where a server of an
   * earlier version holds it. Those that are closed or gone are left out.
   */
  holders(ids: readonly number[]): Promise<Map<number, string>>;
  /** Whether the time of any client has expired. */
  hasLapsed(now: number): Promise<boolean>;
}

export interface LinkReads {
  /** A single-use link that would still open now. */
  unused(digest: string, now: number): Promise<SingleUseLink | undefined>;
  /** Whether somebody has already used the one-time link of this person for this time window. */
  isOnetimeUsed(link: OnetimeLink): Promise<boolean>;
}

/** The result of verifying an audit log. */
export interface ChainCheck {
  /** The number of valid rows. */
  rows: number;
  /** The sequence number of the last row that was checked. */
  to: number;
  /** The first invalid row. */
  broken?: { seq: number; says: string };
}

export interface AuditReads {
  list(
    accountId: number,
    filter: {
      offset: number;
      limit: number;
      operation?: string | undefined;
      email?: string | undefined;
      from?: number | undefined;
      to?: number | undefined;
    },
  ): Promise<{ total: number; rows: AuditRow[] }>;
  /** Rows of the chain in order, starting after `afterSeq`. */
  chain(accountId: number, afterSeq: number, limit: number): Promise<AuditRow[]>;
  head(accountId: number): Promise<{ seq: number; hash: string } | undefined>;
  /** Verifies the whole chain, even while it grows, and yields to the event loop between batches. */
  verify(accountId: number): Promise<ChainCheck>;
}

export interface HistoryFilter {
  agents: AgentScope;
  invitations: 'all' | 'own' | 'none';
  memberId: number;
  /** Only sessions to devices, or only those of invitations. */
  kind?: 'agent' | 'support' | undefined;
  agentId?: number | undefined;
  invitationId?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
  video?: boolean | undefined;
  /** Only sessions of this person. */
  email?: string | undefined;
  /** Only sessions that are running. */
  live?: boolean | undefined;
}
