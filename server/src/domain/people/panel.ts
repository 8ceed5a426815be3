/** Panel sessions: how long they last, and the steps of signing in. */
import { freshLifetime } from '@drawbridge/contract/panel/step-up';
import type { Actor } from './access.ts';
import type { Plan } from './plan.ts';

/** Seconds without activity after which a person is signed out. */
export const idleTimeout = 1_800;
/** Seconds after signing in when every session ends. */
export const maxSessionAge = 43_200;
/** Activity is recorded at most this often, in seconds. */
export const lastSeenInterval = 60;

/** How long a step of signing in is valid, and how many wrong codes it accepts. */
export const signInStepLifetime = 300;
export const maxStepAttempts = 5;

/** How many networks are remembered per person, and for how many seconds after their last sign-in from there. */
export const maxKnownNetworks = 20;
export const knownNetworkLifetime = 90 * 86_400;

/** One browser where somebody is signed in. */
export interface PanelSession {
  id: number;
  createTime: number;
  seenTime: number;
  /** When the person last confirmed their identity. */
  freshTime: number;
}

/** A signed-in person with their current grants. */
export interface PanelSessionHolder {
  session: PanelSession;
  actor: Actor;
  plan: Plan;
  ownerEmail: string;
  /** Whether the person is a server administrator. */
  operator: boolean;
  /** The version of the account's rights with which the grants were loaded, or an earlier one. */
  rightsVersion: number;
}

export const isLive = ({ seenTime, createTime }: PanelSession, now: number): boolean =>
  now - seenTime < idleTimeout && now - createTime < maxSessionAge;

export const freshUntil = ({ freshTime }: Pick<PanelSession, 'freshTime'>): number =>
  freshTime + freshLifetime;

export const isFresh = (session: Pick<PanelSession, 'freshTime'>, now: number): boolean =>
  freshUntil(session) > now;

/** A person among all accounts of the server. */
export interface MemberRef {
  accountId: number;
  memberId: number;
}

/** A directory that checks the password of a person, and the uid of their entry there. */
export interface SignInDirectory {
  directoryId: number;
  uid: string;
}

/** A person who is signing in, and what they can be asked for. */
export interface SignInCandidate extends MemberRef {
  email: string;
  /** The e-mail address of the account's owner. */
  ownerEmail: string;
  /** The hash of their password; null if they have none here, or another password counts. */
  password: string | null;
  /** The directory that checks their password. */
  directory: SignInDirectory | undefined;
  /** Whether a code is required after password or link. */
  totp: boolean;
}

/** What somebody can prove their identity with. */
export interface Factors {
  password: boolean;
  /** Whether the password is that of a directory, and cannot be changed here. */
  directory: boolean;
  totp: boolean;
  passkeys: number;
  recoveryLeft: number;
}

/** The kinds of steps that are begun in one request and finished in another, within minutes. */
export type SignInStepKind =
  | 'account'
  | 'code'
  | 'passkey'
  | 'passkey_add'
  | 'passkey_confirm'
  | 'sso'
  | 'sso_confirm'
  | 'sso_link';

/** A person who began a step, with what must be unchanged when it is finished: the password they used, or their session. */
export interface ProvenMemberRef extends MemberRef {
  proof?: string;
  /** The identity provider that they have already signed in with, how it names that, and when the browser left for it. */
  providerId?: number;
  sid?: string | undefined;
  begun?: number | undefined;
}

export interface SignInStep {
  /** Several while the account is still to be chosen, none if a passkey will identify the person. */
  members: readonly ProvenMemberRef[];
  /** What a passkey must sign, or what a provider must send back; empty if neither is asked for. */
  challenge: string;
}
