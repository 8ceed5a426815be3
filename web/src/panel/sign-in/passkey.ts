/** Passkeys: what the browser does with them, and its refusals in words. */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { post, type OutputOf } from '../api.ts';
import { PanelApiError } from '../panel-api-error.ts';
import { t } from '../texts/index.ts';
import { passkeyProblem } from './passkey-problem.ts';
import type { SignInResponse } from './sign-in-state.ts';

type Challenge = OutputOf<'sign-in/passkey/begin'>;

export const browserHasPasskeys = (): boolean => browserSupportsWebAuthn();

/** What a passkey answers to a challenge; refusals of the browser become sentences. */
export const answerChallenge = (
  { options }: Challenge,
  byAutofill = false,
): Promise<Record<string, unknown>> =>
  withReadableErrors(async () => {
    const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
    return { ...(await startAuthentication({ optionsJSON, useBrowserAutofill: byAutofill })) };
  });

async function withReadableErrors<Result>(ceremony: () => Promise<Result>): Promise<Result> {
  try {
    return await ceremony();
  } catch (error) {
    const problem = passkeyProblem(error);
    throw problem === undefined
      ? error
      : new PanelApiError(problem, 0, { message: t.signIn.passkeys[problem] });
  }
}

export async function signInWithPasskey(): Promise<SignInResponse> {
  const challenge = await post('sign-in/passkey/begin', {});
  return post('sign-in/passkey', { step: challenge.step, response: await answerChallenge(challenge) });
}

export async function createPasskey(name: string): Promise<void> {
  const { step, options } = await post('me/passkeys/begin', {});
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const response = await withReadableErrors(() => startRegistration({ optionsJSON }));
  await post('me/passkeys/add', { step, name, response: { ...response } });
}

/** A challenge is good for five minutes: a page that stays open asks for another one before. */
const renewMs = 240_000;

/** Lets the browser offer passkeys where it fills in the form. Ends with the function it returns. */
export function offerPasskeys(onResponse: (signInResponse: SignInResponse) => void): () => void {
  const controller = new AbortController();
  let renewal: ReturnType<typeof setTimeout> | undefined;
  const offer = async (): Promise<void> => {
    if (controller.signal.aborted || !(await browserSupportsWebAuthnAutofill())) return;
    const challenge = await post('sign-in/passkey/begin', {});
    if (controller.signal.aborted) return;
    renewal = setTimeout(renew, renewMs);
    const response = await answerChallenge(challenge, true);
    clearTimeout(renewal);
    onResponse(await post('sign-in/passkey', { step: challenge.step, response }));
  };
  // Nobody asked for it, so nobody is told when it can not be offered.
  const quietly = (): void => void offer().catch(() => undefined);
  // A page that nobody looks at asks for nothing.
  const renew = (): void => {
    if (document.visibilityState === 'visible') return quietly();
    document.addEventListener('visibilitychange', renew, { once: true, signal: controller.signal });
  };
  quietly();
  return () => {
    controller.abort();
    clearTimeout(renewal);
    WebAuthnAbortService.cancelCeremony();
  };
}
