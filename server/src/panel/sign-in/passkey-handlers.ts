/** Passkeys: created, listed, removed, and used to sign in or to confirm an identity. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { Panel } from '@drawbridge/contract/panel/index';
import type { Passkey } from '../../domain/people/factors.ts';
import type { ProvenMemberRef, SignInStepKind, MemberRef } from '../../domain/people/panel.ts';
import { brandOf } from '../rows/brand.ts';
import { completeSignIn, newSignInStep, notSignedIn, stepExpired } from './sign-in-steps.ts';
import type { CurrentSession, PanelHandlers, PanelContext } from '../handler.ts';
import { confirmIdentity } from '../rows/me.ts';
import {
  createAuthenticationOptions,
  createRegistrationOptions,
  credentialIdOf,
  verifyAuthentication,
  verifyRegistration,
  type WebAuthnJson,
} from './passkeys.ts';
import { supportsPasskeys } from './passkey-support.ts';

type Rows = Pick<
  Panel,
  | 'sign-in/passkey/begin'
  | 'sign-in/passkey'
  | 'me/passkeys'
  | `me/passkeys/${'begin' | 'add' | 'remove'}`
  | 'me/confirm/passkey/begin'
  | 'me/confirm/passkey'
>;

const passkeysUnavailable = fault('invalid', {
  code: 'no_passkeys',
  message: 'Passkeys need a server that is reached by a host name, not by an IP address.',
});
const unknownPasskey = notSignedIn('This passkey does not belong to any account on this server.');

/** The person with their session: what they begin there must be finished there. */
const boundToSession = (
  { accountId, memberId }: MemberRef,
  { id }: Pick<CurrentSession, 'id'>,
  { digestOf }: PanelContext,
): ProvenMemberRef => ({ accountId, memberId, proof: digestOf(`session ${id}`) });

/** The challenge of a step, which this uses up; none if the step has expired or was begun in another session. */
async function takeChallenge(
  step: string,
  kind: SignInStepKind,
  context: PanelContext,
  by?: ProvenMemberRef,
): Promise<string | undefined> {
  const used = await context.store.change('panel/steps/take', { digest: context.digestOf(step), kind });
  if (isFault(used)) return undefined;
  const [begun] = used.members;
  return begun?.memberId === by?.memberId && begun?.proof === by?.proof ? used.challenge : undefined;
}

/** Whether the response of a passkey to a challenge is valid and new. */
async function isVerified(
  challenge: string,
  passkey: Passkey,
  response: WebAuthnJson,
  { store, publicUrl }: PanelContext,
): Promise<boolean> {
  const counter = await verifyAuthentication(publicUrl, challenge, passkey, response);
  if (counter === undefined) return false;
  const { accountId, id } = passkey;
  return !isFault(await store.change('factors/passkey/used', { accountId, id, counter }));
}

const memberRefOf = ({ accountId, memberId }: MemberRef): MemberRef => ({ accountId, memberId });

export const passkeyHandlers: PanelHandlers<Rows> = {
  'me/passkeys': async ({ actor }, { store }) => ({
    data: (await store.factors.passkeys(memberRefOf(actor))).map(
      ({ id, name, createTime, lastUsedTime }) => ({
        id,
        name,
        create_time: createTime,
        ...(lastUsedTime !== null && { last_used: lastUsedTime }),
      }),
    ),
  }),

  'me/passkeys/begin': async ({ actor, session, change }, context) => {
    const { publicUrl, store } = context;
    if (!supportsPasskeys(publicUrl)) return passkeysUnavailable;
    const { name } = await brandOf(context, actor.accountId);
    const known = await store.factors.passkeys(memberRefOf(actor));
    const { options, challenge } = await createRegistrationOptions(
      { publicUrl, brand: name || 'Drawbridge' },
      actor,
      known,
    );
    const { step, stored } = newSignInStep(
      'passkey_add',
      [boundToSession(actor, session, context)],
      context,
      challenge,
    );
    await change('panel/steps/begin', stored);
    return { step, options };
  },

  'me/passkeys/add': async ({ actor, session, input, change }, context) => {
    const by = boundToSession(actor, session, context);
    const challenge = await takeChallenge(input.step, 'passkey_add', context, by);
    if (challenge === undefined) return stepExpired;
    const registered = await verifyRegistration(context.publicUrl, challenge, input.response);
    if (!registered)
      return fault('invalid', {
        field: 'response',
        message: 'This passkey cannot be used: it must ask for a fingerprint, a face or a PIN.',
      });
    return change('factors/passkey/add', { ...memberRefOf(actor), ...registered, name: input.name });
  },

  'me/passkeys/remove': async ({ actor, input, change }) =>
    change('factors/passkey/remove', { ...memberRefOf(actor), id: input.id }),

  'sign-in/passkey/begin': async ({ requester }, context) => {
    if (!supportsPasskeys(context.publicUrl)) return passkeysUnavailable;
    if (!(await context.tries.mayBeginPasskey(requester.address))) return fault('busy');
    const { options, challenge } = await createAuthenticationOptions(context.publicUrl);
    const { step, stored } = newSignInStep('passkey', [], context, challenge);
    await context.store.change('panel/steps/begin', stored);
    return { step, options };
  },

  'sign-in/passkey': async (request, context) => {
    const { step, response } = request.input;
    const challenge = await takeChallenge(step, 'passkey', context);
    if (challenge === undefined) return stepExpired;
    const passkey = await context.store.factors.passkey(credentialIdOf(response) ?? '');
    const person = passkey && (await context.store.panel.find(passkey));
    if (!passkey || !person) return unknownPasskey;
    request.identify(person);
    return (await isVerified(challenge, passkey, response, context))
      ? completeSignIn(person, request, context)
      : unknownPasskey;
  },

  'me/confirm/passkey/begin': async ({ actor, session, change }, context) => {
    const known = await context.store.factors.passkeys(memberRefOf(actor));
    if (known.length === 0) return fault('invalid', { message: 'You have no passkey.' });
    const { options, challenge } = await createAuthenticationOptions(context.publicUrl, known);
    const { step, stored } = newSignInStep(
      'passkey_confirm',
      [boundToSession(actor, session, context)],
      context,
      challenge,
    );
    await change('panel/steps/begin', stored);
    return { step, options };
  },

  'me/confirm/passkey': async (request, context) => {
    const { actor, session, input } = request;
    const by = boundToSession(actor, session, context);
    const challenge = await takeChallenge(input.step, 'passkey_confirm', context, by);
    if (challenge === undefined) return stepExpired;
    const passkeys = await context.store.factors.passkeys(memberRefOf(actor));
    const passkey = passkeys.find(({ credential }) => credential === credentialIdOf(input.response));
    if (!passkey || !(await isVerified(challenge, passkey, input.response, context))) return unknownPasskey;
    return confirmIdentity(request, context);
  },
};
