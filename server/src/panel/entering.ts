/** The last steps of signing in, whichever way somebody came: a code where there is an authenticator app, then the cookie. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { stepLifetime, stepTries, type Entrant, type StepKind, type Whose } from '../domain/panel.ts';
import type { NewPanelSession } from '../store/panel-records.ts';
import type { NewStep } from '../store/changes.ts';
import type { CookieChange, PanelHouse, StrangersRequest, Visitor } from './handler.ts';
import type { PanelRow } from '@drawbridge/contract/panel/row';

/** The answer of every row that signs in. */
export interface Progress extends CookieChange {
  next: 'done' | 'code' | 'account';
  step?: string;
  accounts?: { account_id: number; owner: string }[];
}

/** The same sentence whatever was wrong: it tells nobody which addresses, accounts or links there are. */
export const notYou = (message: string): Fault<'forbidden'> =>
  fault('forbidden', { code: 'not_signed_in', message });

export const stepIsOver = notYou('This took too long, or was tried too often. Please sign in once more.');

/** A cookie, and what the store keeps of it. */
export function freshSession(visitor: Visitor, { chance, digestOf }: PanelHouse) {
  const token = chance.token();
  const session: NewPanelSession = {
    digest: digestOf(token),
    address: visitor.address,
    userAgent: visitor.userAgent,
    instead: visitor.token === undefined ? undefined : digestOf(visitor.token),
  };
  return { token, session };
}

/** Something to be finished in another request, and what the store keeps of it. */
export function freshStep(
  kind: StepKind,
  whose: readonly Whose[],
  { chance, digestOf, now }: PanelHouse,
  challenge = '',
): { step: string; kept: NewStep } {
  const step = chance.token();
  const people = whose.map(({ accountId, memberId }) => ({ accountId, memberId }));
  const expireTime = now() + stepLifetime;
  const kept = { digest: digestOf(step), kind, whose: people, challenge, tries: stepTries, expireTime };
  return { step, kept };
}

/** Signs somebody in who has shown all that is asked for. */
export async function enter(
  who: Entrant,
  { visitor, identify, change }: Pick<StrangersRequest<PanelRow>, 'visitor' | 'identify' | 'change'>,
  house: PanelHouse,
  /** The hash of the password they came with, where they did: it must be theirs still. */
  password?: string,
): Promise<Progress | Fault<'forbidden'>> {
  identify(who);
  const { token, session } = freshSession(visitor, house);
  const { accountId, memberId } = who;
  const proof = password === undefined ? {} : { password };
  const opened = await change('panel/sessions/open', { accountId, memberId, session, ...proof });
  return isFault(opened) ? stepIsOver : { next: 'done', cookie: { token } };
}

/** After the password: asks for a code where there is an authenticator app, else signs in. */
export async function goOn(
  who: Entrant,
  request: Pick<StrangersRequest<PanelRow>, 'visitor' | 'identify' | 'change'>,
  house: PanelHouse,
  password?: string,
): Promise<Progress | Fault<'forbidden'>> {
  if (!who.totp) return enter(who, request, house, password);
  request.identify(who);
  const { step, kept } = freshStep('code', [who], house);
  await request.change('panel/steps/begin', kept);
  return { next: 'code', step };
}
