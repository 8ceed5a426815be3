/** Creates and uses passkeys through the browser's WebAuthn API. */
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

/** Signs a challenge with a passkey; WebAuthn errors become readable messages. */
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

/** A challenge expires after five minutes, so an open page requests another one before that. */
const renewMs = 240_000;

/** Offers passkeys in the browser's autofill. Returns a function that stops the offer. */
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
  // The user did not request the offer, so errors are not shown.
  const quietly = (): void => void offer().catch(() => undefined);
  // A hidden page waits until it is visible before it requests another challenge.
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
