/** What can be read for the panel beyond what the API reads. Part of the store's interface. */
import type { Actor, AgentScope, AgentRef } from '../../domain/people/access.ts';
import type { Passkey, Totp } from '../../domain/people/factors.ts';
import type { SignInCandidate, Factors, PanelSession, MemberRef } from '../../domain/people/panel.ts';
import type { AccessEntry, NamedAccessEntry, ObjectRef } from '../records.ts';

export interface PanelReads {
  /** Everyone with this e-mail address who has a password, at most eight people. */
  byEmail(email: string): Promise<SignInCandidate[]>;
  /** The person of this link, while it can still be used. Reading does not use it up. */
  byLink(digest: string): Promise<SignInCandidate | undefined>;
  find(memberRef: MemberRef): Promise<SignInCandidate | undefined>;
  /** The ids of those people who signed in from the network of this address before. */
  knownAt(people: readonly MemberRef[], from: { address: string; now: number }): Promise<Set<number>>;
  factors(memberRef: MemberRef): Promise<Factors>;
  /** The panel sessions of a person, newest first, including expired ones that are not deleted yet. */
  sessions(memberRef: MemberRef): Promise<(PanelSession & { address: string; userAgent: string })[]>;
}

/** What somebody proves their identity with, besides a password. */
export interface FactorReads {
  totp(memberRef: MemberRef): Promise<Totp | undefined>;
  /** Oldest first. */
  passkeys(memberRef: MemberRef): Promise<Passkey[]>;
  /** Finds a passkey by its credential, which also identifies its owner. */
  passkey(credential: string): Promise<Passkey | undefined>;
}

/** A new panel session. */
export interface NewPanelSession {
  /** The digest of the cookie. */
  digest: string;
  address: string;
  userAgent: string;
  /** The digest of the cookie that the browser had before: that session ends. */
  instead?: string | undefined;
  /** The identity provider with which the person signed in; absent for other methods. */
  providerId?: number | undefined;
  /** How that provider names the sign-in. */
  sid?: string | undefined;
  /** When the browser left for that provider: if it has signed the person out since, the session is refused. */
  begun?: number | undefined;
}

/** What decides who is notified of a change. Objects that no longer exist are left out. */
export interface VisibilityReads {
  /** Devices with their groups: these, or all of the account. */
  agentRefs(accountId: number, ids?: readonly number[]): Promise<AgentRef[]>;
  /** The creators of these invitations; null where the person was removed. */
  invitations(accountId: number, ids: readonly number[]): Promise<{ id: number; memberId: number | null }[]>;
  /** The devices or invitations of these sessions. */
  sessions(
    accountId: number,
    ids: readonly number[],
  ): Promise<{ id: number; begun: boolean; invitationId: number | null; agent: AgentRef | null }[]>;
  /** Devices of all accounts whose lease expired after `since` and until `until`. */
  lapsed(since: number, until: number): Promise<ObjectRef[]>;
  /** Those of these panel sessions that still exist, each with the rights version of its account. */
  signedIn(ids: readonly number[]): Promise<(PanelSession & { rightsVersion: number })[]>;
}

/** Selects granted roles by device or group, by role, or by person or department. */
export interface AccessEntryFilter {
  agentId?: number | undefined;
  groupId?: number | undefined;
  roleId?: number | undefined;
  email?: string | undefined;
  departmentId?: number | undefined;
}

/** A person with the name that they gave themselves; empty without one. */
export type NamedActor = Actor & { name: string };

export interface AccessReads {
  ofMember(accountId: number, memberId: number): Promise<AccessEntry[]>;
  ofDepartment(accountId: number, departmentId: number): Promise<AccessEntry[]>;
  /** All granted roles that match the filter, oldest first. */
  all(accountId: number, filter: AccessEntryFilter): Promise<NamedAccessEntry[]>;
  /** The number of grants per role or per department, by id. */
  counts(accountId: number, by: 'role_id' | 'department_id'): Promise<Map<number, number>>;
  /** The owner, and everyone who has a grant on the device or its group, with only those grants. */
  holders(accountId: number, agentRef: AgentRef): Promise<NamedActor[]>;
  /** The devices in scope with their names, oldest first. */
  devices(accountId: number, scope: AgentScope): Promise<(AgentRef & { name: string })[]>;
}
