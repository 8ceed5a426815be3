/** What can be read of accounts as a whole: brands, usage and audit logs. Part of the store's interface. */
import type { AuditRow } from '../../domain/audit.ts';
import type { StoredBrand } from '../../domain/people/brand.ts';
import type { Plan } from '../../domain/people/plan.ts';
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
   * The accounts of the server with their usage, oldest first. The number of statements does not depend on the number
   * of accounts.
   */
  listUsage(filter: {
    search?: string | undefined;
    offset: number;
    limit: number;
    now: number;
  }): Promise<{ total: number; accounts: AccountUsage[] }>;
  exists(accountId: number): Promise<boolean>;
  settings(accountId: number): Promise<AccountSettings>;
}

export interface BrandReads {
  of(accountId: number): Promise<StoredBrand | undefined>;
  /** The brand of the server's first account: shown before it is known who somebody is. */
  ofServer(): Promise<StoredBrand | undefined>;
  /** A picture by its digest, regardless of the account. */
  logo(digest: string): Promise<{ type: string; bytes: Uint8Array } | undefined>;
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
