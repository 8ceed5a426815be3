/** The last steps of every kind of sign-in: a code if there is an authenticator app, then the cookie. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import {
  signInStepLifetime,
  maxStepAttempts,
  type SignInCandidate,
  type ProvenMemberRef,
  type SignInStepKind,
} from '../../domain/people/panel.ts';
import type { NewPanelSession } from '../../store/people/panel-records.ts';
import type { NewSignInStep } from '../../store/changes.ts';
import type { CookieChange, PanelContext, AnonymousRequest, PanelRequester } from '../handler.ts';
import type { PanelRow } from '@drawbridge/contract/panel/row';

/** The response of every row that signs in. */
export interface SignInProgress extends CookieChange {
  next: 'done' | 'code' | 'account';
  step?: string;
  accounts?: { account_id: number; owner: string }[];
}

/** The same message for every cause, so that it does not reveal which addresses, accounts or links exist. */
export const notSignedIn = (message: string): Fault<'forbidden'> =>
  fault('forbidden', { code: 'not_signed_in', message });

export const stepExpired = notSignedIn('This took too long, or there were too many attempts. Sign in again.');

/** A cookie, and what the store keeps of it. */
export function newPanelSession(requester: PanelRequester, { random, digestOf }: PanelContext) {
  const token = random.token();
  const session: NewPanelSession = {
    digest: digestOf(token),
    address: requester.address,
    userAgent: requester.userAgent,
    instead: requester.token === undefined ? undefined : digestOf(requester.token),
  };
  return { token, session };
}

/** A step to be finished in another request, and what the store keeps of it. */
export function newSignInStep(
  kind: SignInStepKind,
  members: readonly ProvenMemberRef[],
  { random, digestOf, now }: PanelContext,
  challenge = '',
): { step: string; stored: NewSignInStep } {
  const step = random.token();
  const people = members.map(({ accountId, memberId, proof, providerId, sid, begun }) => ({
    accountId,
    memberId,
    ...(proof !== undefined && { proof }),
    ...(providerId !== undefined && { providerId, sid, begun }),
  }));
  const expireTime = now() + signInStepLifetime;
  const stored = {
    digest: digestOf(step),
    kind,
    members: people,
    challenge,
    tries: maxStepAttempts,
    expireTime,
  };
  return { step, stored };
}

/** The person with the password they used: the step becomes invalid when the password changes. */
export const toProven =
  ({ digestOf }: Pick<PanelContext, 'digestOf'>) =>
  ({ accountId, memberId, password }: SignInCandidate): ProvenMemberRef => ({
    accountId,
    memberId,
    ...(password !== null && { proof: digestOf(password) }),
  });

/** The person of a step, if they still exist and their password has not changed since it began. */
export async function recheckProven(
  { proof, ...memberRef }: ProvenMemberRef,
  { store, digestOf }: PanelContext,
): Promise<SignInCandidate | undefined> {
  const person = await store.panel.find(memberRef);
  const isTheirs = proof === undefined || (person?.password && digestOf(person.password) === proof);
  return isTheirs ? person : undefined;
}

/**
 * The end of every sign-in. Ends the browser's previous session in another account; one in the same account ended with
 * the change.
 */
export async function replaceSession(
  token: string,
  requester: PanelRequester,
  context: PanelContext,
): Promise<SignInProgress> {
  const { store, digestOf } = context;
  const before = requester.token && (await store.actors.bySession(digestOf(requester.token)));
  if (before) {
    const { accountId, memberId } = before.actor;
    await store.change('panel/sessions/end', { accountId, memberId, id: before.session.id });
  }
  return { next: 'done', cookie: { token } };
}

interface SignInProof {
  /** The hash of the password they used, if any: it must not have changed. */
  password?: string | undefined;
  /** The identity provider that they have signed in with, if any. */
  providerId?: number | undefined;
  /** How that provider names the sign-in. */
  sid?: string | undefined;
  /** When the browser left for that provider. */
  begun?: number | undefined;
}

/** Signs in somebody who has proved everything that is required. */
export async function completeSignIn(
  who: SignInCandidate,
  { requester, identify, change }: Pick<AnonymousRequest<PanelRow>, 'requester' | 'identify' | 'change'>,
  context: PanelContext,
  { password, providerId, sid, begun }: SignInProof = {},
): Promise<SignInProgress | Fault<'forbidden'>> {
  identify(who);
  const { token, session } = newPanelSession(requester, context);
  const { accountId, memberId } = who;
  const proof = password === undefined ? {} : { password };
  const opened = await change('panel/sessions/open', {
    accountId,
    memberId,
    session: { ...session, providerId, sid, begun },
    ...proof,
  });
  if (isFault(opened)) return opened.fault === 'forbidden' ? fault('forbidden', opened) : stepExpired;
  return replaceSession(token, requester, context);
}

/** After the password: asks for a code if there is an authenticator app, otherwise signs in. */
export async function continueSignIn(
  who: SignInCandidate,
  request: Pick<AnonymousRequest<PanelRow>, 'requester' | 'identify' | 'change'>,
  context: PanelContext,
  password?: string,
): Promise<SignInProgress | Fault<'forbidden'>> {
  if (!who.totp) return completeSignIn(who, request, context, { password });
  request.identify(who);
  const proven = password === undefined ? who : toProven(context)(who);
  const { step, stored } = newSignInStep('code', [proven], context);
  await request.change('panel/steps/begin', stored);
  return { next: 'code', step };
}
