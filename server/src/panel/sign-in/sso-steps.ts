/** The two halves of a conversation with an identity provider: the browser leaves for it, and returns with its answer. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { ssoReturnPath } from '@drawbridge/contract/panel/sso';
import type { ProvenMemberRef, SignInStep, SignInStepKind } from '../../domain/people/panel.ts';
import type {
  ProviderConnection,
  ProviderProblem,
  SsoChecks,
  SsoPerson,
} from '../../domain/people/provider.ts';
import { normalizeSignInName } from '../../domain/people/sign-in-name.ts';
import type { PanelContext, PanelRequester } from '../handler.ts';
import { ssoLifetime } from './cookie.ts';
import { newSignInStep, notSignedIn } from './sign-in-steps.ts';

type SsoStepKind = Extract<SignInStepKind, `sso${string}`>;

/** What the server keeps while the browser is at the provider. */
interface KeptChecks extends SsoChecks {
  accountId: number;
  providerId: number;
  /** The digest of the cookie of the browser that left. */
  browser: string;
  /** When it left. Absent in steps that an earlier version began. */
  begun?: number;
}

export const ssoExpired = notSignedIn(
  'This took too long, was already used, or began in another browser. Sign in again.',
);

/** The state begins with the kind of the step, so that the page at which the browser returns knows what to do. */
const stateOf = (kind: SsoStepKind, random: string): string => `${kind}.${random}`;

const providerTrouble = (problem: ProviderProblem): Fault<'invalid'> =>
  fault('invalid', {
    code: 'sso_trouble',
    message: `The identity provider of your organisation cannot be used now (${problem}). Try again later, or ask the people who look after it.`,
  });

const redirectUri = ({ signInName }: ProviderConnection, { publicUrl }: PanelContext): string =>
  `${publicUrl}${ssoReturnPath(signInName)}`;

/** What a step is for, and who begins and finishes it. */
interface StepOwner {
  kind: SsoStepKind;
  requester: PanelRequester;
  /** The signed-in person with their session; absent for signing in. */
  by?: ProvenMemberRef;
  /** Called with the account in whose audit log the answer belongs, even if it is refused. */
  onAccount?(accountId: number): void;
}

/** Stores what must come back, and returns where the browser goes. */
export async function leaveForProvider(
  provider: ProviderConnection,
  { kind, requester, by }: StepOwner,
  context: PanelContext,
): Promise<{ url: string; ssoCookie: string } | Fault<'invalid'>> {
  const { random, digestOf, now, store, identityProviders } = context;
  const browser = requester.ssoToken ?? random.token();
  const { step, stored } = newSignInStep(kind, by ? [by] : [], context);
  const checks: SsoChecks = {
    state: stateOf(kind, step),
    nonce: random.token(),
    verifier: random.token(),
    ...(kind === 'sso_confirm' && { reauthenticatedSince: now() }),
  };
  const address = await identityProviders.authorizationUrl(provider, {
    ...checks,
    redirectUri: redirectUri(provider, context),
  });
  if ('problem' in address) return providerTrouble(address.problem);
  const { accountId, id: providerId } = provider;
  const kept: KeptChecks = { ...checks, accountId, providerId, browser: digestOf(browser), begun: now() };
  await store.change('panel/steps/begin', {
    ...stored,
    digest: digestOf(checks.state),
    challenge: JSON.stringify(kept),
    expireTime: now() + ssoLifetime,
  });
  return { url: address.url, ssoCookie: browser };
}

/** What the browser brings back, and the sign-in name in the address at which it arrived. */
interface ReturnedAnswer {
  name: string;
  response: string;
}

interface BegunStep {
  provider: ProviderConnection;
  checks: SsoChecks;
  /** When the browser left. */
  begun: number | undefined;
}

/** Uses up the step that the answer belongs to; none if there is no such step, or it is used up. */
async function useStep(
  { response }: ReturnedAnswer,
  kind: SsoStepKind,
  { store, digestOf }: PanelContext,
): Promise<SignInStep | undefined> {
  const states = new URLSearchParams(response).getAll('state');
  const [state] = states;
  if (state === undefined || states.length !== 1) return undefined;
  const used = await store.change('panel/steps/take', { digest: digestOf(state), kind });
  return isFault(used) ? undefined : used;
}

/** The account of the sign-in name, for an answer that belongs to no step. Only some of them leave a line: anyone can send them. */
async function accountOfName(name: string, { store, tries }: PanelContext): Promise<number | undefined> {
  const provider = await store.providers.bySignInName(normalizeSignInName(name));
  return provider && (await tries.mayNoteAnswer(provider.accountId)) ? provider.accountId : undefined;
}

/** Uses up the step that the answer belongs to; none if it was begun in another browser, session or for another purpose. */
export async function takeStep(
  answer: ReturnedAnswer,
  { kind, requester, by, onAccount }: StepOwner,
  context: PanelContext,
): Promise<BegunStep | undefined> {
  const { store, digestOf } = context;
  const used = requester.ssoToken === undefined ? undefined : await useStep(answer, kind, context);
  const kept = used && (JSON.parse(used.challenge) as KeptChecks);
  const accountId = kept?.accountId ?? (onAccount && (await accountOfName(answer.name, context)));
  if (accountId !== undefined) onAccount?.(accountId);
  if (!kept) return undefined;
  const [begun] = used.members;
  const isTheirs = begun?.memberId === by?.memberId && begun?.proof === by?.proof;
  if (!isTheirs || kept.browser !== digestOf(requester.ssoToken!)) return undefined;
  const provider = await store.providers.connection(kept.accountId, kept.providerId);
  return provider?.enabled ? { provider, checks: kept, begun: kept.begun } : undefined;
}

/** The provider did not say that the person authenticated again, or when. */
const recencyReasons = ['not_reauthenticated', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED', 'OAUTH_INVALID_RESPONSE'];

const refusal = (reason: string, isStepUp: boolean): Fault<'forbidden'> =>
  reason === 'access_denied'
    ? fault('forbidden', { code: 'sso_denied', message: 'The identity provider did not let you in.' })
    : isStepUp && recencyReasons.includes(reason)
      ? fault('forbidden', {
          code: 'sso_not_recent',
          message:
            'The identity provider did not ask you again, or does not say when it did. Confirm with a passkey or a password instead.',
        })
      : fault('forbidden', {
          code: 'sso_invalid',
          message: `The answer of the identity provider is not valid for this sign-in (${reason}). Sign in again.`,
        });

/**
 * A provider that is not honest sends the browser on to another one with its own state, and would receive the code of
 * the other. The other sends its code only to the address that is registered there.
 */
const mixedUp = fault('forbidden', {
  code: 'sso_mixed_up',
  message: 'The answer is not from the identity provider that you chose. Sign in again.',
});

/** The person whom the provider describes. */
export async function personFrom(
  { provider, checks }: BegunStep,
  { name, response }: ReturnedAnswer,
  context: PanelContext,
): Promise<SsoPerson | Fault<'invalid' | 'forbidden'>> {
  if (normalizeSignInName(name) !== provider.signInName) return mixedUp;
  const answer = await context.identityProviders.complete(provider, {
    ...checks,
    redirectUri: redirectUri(provider, context),
    response,
  });
  if ('problem' in answer) return providerTrouble(answer.problem);
  const isStepUp = checks.reauthenticatedSince !== undefined;
  return 'refused' in answer ? refusal(answer.refused, isStepUp) : answer.person;
}
