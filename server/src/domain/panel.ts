/** Being signed in at the panel: how long it lasts, and what is begun on the way there. */
import { freshLifetime } from '@drawbridge/contract/panel/step-up';
import type { Actor } from './access.ts';
import type { Plan } from './plan.ts';

/** Who is not there for so long, in seconds, is signed out. */
export const idleTimeout = 1_800;
/** And everybody is, this long after they signed in. */
export const maxSessionAge = 43_200;
/** That somebody is there is written down at most this often. */
export const lastSeenInterval = 60;

/** How long what was begun waits to be finished, and how many wrong codes it takes. */
export const signInStepLifetime = 300;
export const maxStepAttempts = 5;

/** How many networks are known of one person, and for how long, in seconds, after they last signed in from there. */
export const maxKnownNetworks = 20;
export const knownNetworkLifetime = 90 * 86_400;

/** One place where somebody is signed in. */
export interface PanelSession {
  id: number;
  createTime: number;
  seenTime: number;
  /** When the person last showed who they are. */
  freshTime: number;
}

/** Somebody who is signed in, with the grants of this moment. */
export interface PanelSessionHolder {
  session: PanelSession;
  actor: Actor;
  plan: Plan;
  ownerEmail: string;
  /** Looks after the server itself. */
  operator: boolean;
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

/** A person on the way in: what they can be asked for. */
export interface SignInCandidate extends MemberRef {
  email: string;
  /** The e-mail address of the account's owner. */
  ownerEmail: string;
  /** The hash of their password. */
  password: string | null;
  /** Whether a code is asked for after password or link. */
  totp: boolean;
}

/** By what somebody can show who they are. */
export interface Factors {
  password: boolean;
  totp: boolean;
  passkeys: number;
  recoveryLeft: number;
}

/** What is begun in one request and finished in another, within minutes. */
export type SignInStepKind = 'account' | 'code' | 'passkey' | 'passkey_add' | 'passkey_confirm';

/** Somebody who began something, with what must still be so when it is finished: the password they came with, or their session. */
export interface ProvenMemberRef extends MemberRef {
  proof?: string;
}

export interface SignInStep {
  /** Several where the account is still to be chosen, none where a passkey will tell. */
  members: readonly ProvenMemberRef[];
  /** What a passkey is to sign; empty where none is asked. */
  challenge: string;
}
