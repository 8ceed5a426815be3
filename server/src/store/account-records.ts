/** What can be read of accounts as a whole: their brands, what they use, and their audit logs. Part of the store's face. */
import type { AuditRow } from '../domain/audit.ts';
import type { StoredBrand } from '../domain/brand.ts';
import type { Plan } from '../domain/plan.ts';
import type { AccountSettings, PlanUsage } from './records.ts';

/** An account as those see it who look after the server. */
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
  /** The accounts of the server with what they use, oldest first; a handful of statements, however many there are. */
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
  /** The brand of the server's first account: what people see before it is known who they are. */
  ofServer(): Promise<StoredBrand | undefined>;
  /** A picture by its digest, whosever it is. */
  logo(digest: string): Promise<{ type: string; bytes: Uint8Array } | undefined>;
}

/** How far an audit log was followed. */
export interface ChainCheck {
  /** How many rows were in order. */
  rows: number;
  /** The number of the last row that was looked at. */
  to: number;
  /** The first that is not in order. */
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
  /** The chain in order, a part at a time. */
  chain(accountId: number, afterSeq: number, limit: number): Promise<AuditRow[]>;
  head(accountId: number): Promise<{ seq: number; hash: string } | undefined>;
  /** Follows the whole chain, also while it grows; others have their turn between its parts. */
  verify(accountId: number): Promise<ChainCheck>;
}
