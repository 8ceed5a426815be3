/** What can be read for the panel beyond what the API reads: part of the store's face. */
import type { Actor, AgentScope, AgentRef } from '../domain/access.ts';
import type { Passkey, Totp } from '../domain/factors.ts';
import type { SignInCandidate, Factors, PanelSession, MemberRef } from '../domain/panel.ts';
import type { AccessEntry, NamedAccessEntry, ObjectRef } from './records.ts';

export interface PanelReads {
  /** Everybody with this address who has a password, at most eight. */
  byEmail(email: string): Promise<SignInCandidate[]>;
  /** Whose link this is, while it can still be used; looking uses nothing up. */
  byLink(digest: string): Promise<SignInCandidate | undefined>;
  find(memberRef: MemberRef): Promise<SignInCandidate | undefined>;
  /** The numbers of those of these people who signed in from the network of this address before. */
  knownAt(people: readonly MemberRef[], from: { address: string; now: number }): Promise<Set<number>>;
  factors(memberRef: MemberRef): Promise<Factors>;
  /** Where somebody is signed in, the newest first; also what is over and not swept away yet. */
  sessions(memberRef: MemberRef): Promise<(PanelSession & { address: string; userAgent: string })[]>;
}

/** By what somebody shows who they are, beside a password. */
export interface FactorReads {
  totp(memberRef: MemberRef): Promise<Totp | undefined>;
  /** Oldest first. */
  passkeys(memberRef: MemberRef): Promise<Passkey[]>;
  /** A passkey is what tells whose it is. */
  passkey(credential: string): Promise<Passkey | undefined>;
}

/** A place where somebody signs in. */
export interface NewPanelSession {
  /** Of the cookie. */
  digest: string;
  address: string;
  userAgent: string;
  /** The digest of the cookie that the browser had before: that session ends. */
  instead?: string | undefined;
}

/** What tells who may hear of a change. Of what is gone, nothing is told. */
export interface VisibilityReads {
  /** Where devices stand: these, or all of the account. */
  agentRefs(accountId: number, ids?: readonly number[]): Promise<AgentRef[]>;
  /** Whose invitations these are; null where the person is gone. */
  invitations(accountId: number, ids: readonly number[]): Promise<{ id: number; memberId: number | null }[]>;
  /** What these sessions lead to. */
  sessions(
    accountId: number,
    ids: readonly number[],
  ): Promise<{ id: number; begun: boolean; invitationId: number | null; agent: AgentRef | null }[]>;
  /** Devices, of whatever account, whose time on line ran out after the one moment and until the other. */
  lapsed(since: number, until: number): Promise<ObjectRef[]>;
  /** Of these places where somebody is signed in, those that are still there, and how often rights changed there. */
  signedIn(ids: readonly number[]): Promise<(PanelSession & { rightsVersion: number })[]>;
}

/** Granted roles on a device or group, of a role, or of a person or department. */
export interface AccessEntryFilter {
  agentId?: number | undefined;
  groupId?: number | undefined;
  roleId?: number | undefined;
  email?: string | undefined;
  departmentId?: number | undefined;
}

export interface AccessReads {
  ofMember(accountId: number, memberId: number): Promise<AccessEntry[]>;
  ofDepartment(accountId: number, departmentId: number): Promise<AccessEntry[]>;
  /** Every granted role, oldest first; only those that fit where something is named. */
  all(accountId: number, filter: AccessEntryFilter): Promise<NamedAccessEntry[]>;
  /** How often each role, or each department, stands among the granted roles; by its id. */
  counts(accountId: number, by: 'role_id' | 'department_id'): Promise<Map<number, number>>;
  /** The owner, and everybody who is granted something on the device or on its group, with those grants alone. */
  holders(accountId: number, agentRef: AgentRef): Promise<Actor[]>;
  /** The devices in scope by name, oldest first. */
  devices(accountId: number, scope: AgentScope): Promise<(AgentRef & { name: string })[]>;
}
