/** What people prove their identity with besides the password: authenticator app, recovery codes, passkeys. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { Panel } from '@drawbridge/contract/panel/index';
import type { MemberRef } from '../../domain/people/panel.ts';
import { brandOf } from '../rows/brand.ts';
import { completeSignIn, notSignedIn, stepExpired, recheckProven } from './sign-in-steps.ts';
import type { PanelHandlers, PanelContext } from '../handler.ts';
import { passkeyHandlers } from './passkey-handlers.ts';
import { newRecoveryCodes, recoveryDigest } from './recovery-codes.ts';
import { newTotpSecret, stepOfCode, totpUrl } from './totp.ts';

type Rows = Pick<Panel, `me/totp/${'begin' | 'confirm' | 'remove'}` | 'me/recovery' | 'sign-in/code'>;

const wrongCode = notSignedIn(
  'The code is wrong or was already used. The app shows a new one every 30 seconds.',
);

/** New codes, and the digests that the store keeps. */
function newCodes(memberId: number, { randomBytes: bytes }: PanelContext) {
  const recovery = newRecoveryCodes(bytes);
  return { recovery, stored: recovery.map((code) => recoveryDigest(memberId, code)!) };
}

/** Uses up a code of the app, or a recovery code. Guesses at app codes are counted, because there are only a million. */
async function useCode(
  { accountId, memberId }: MemberRef,
  typed: string,
  address: string,
  { store, tries, now }: PanelContext,
): Promise<object | Fault<'busy' | 'not_found'>> {
  const digest = recoveryDigest(memberId, typed);
  if (digest !== undefined) return store.change('factors/recovery/use', { accountId, memberId, digest });
  const known = await store.panel.knownAt([{ accountId, memberId }], { address, now: now() });
  const guess = await tries.codes.guess([String(memberId)], address, { trusted: [...known].map(String) });
  if (guess.allowed.length === 0) return fault('busy');
  const totp = await store.factors.totp({ accountId, memberId });
  const step = totp?.confirmed ? stepOfCode(totp.secret, typed.replaceAll(/\s/g, ''), now()) : undefined;
  if (step === undefined) return fault('not_found');
  const used = await store.change('factors/totp/use', { accountId, memberId, step });
  if (!isFault(used)) guess.confirm(guess.allowed);
  return used;
}

const codeHandlers: PanelHandlers<Rows> = {
  'me/totp/begin': async ({ actor, change }, context) => {
    const { accountId, memberId, email } = actor;
    const secret = newTotpSecret(context.randomBytes);
    const begun = await change('factors/totp/begin', { accountId, memberId, secret });
    if (isFault(begun)) return begun;
    const { name } = await brandOf(context, accountId);
    return { secret, url: totpUrl(secret, { issuer: name || 'Drawbridge', email }) };
  },

  'me/totp/confirm': async ({ actor, input, change }, context) => {
    const { accountId, memberId } = actor;
    const totp = await context.store.factors.totp({ accountId, memberId });
    if (!totp || totp.confirmed)
      return fault('invalid', { message: 'Start to set up an authenticator app first.' });
    const step = stepOfCode(totp.secret, input.code.replaceAll(/\s/g, ''), context.now());
    if (step === undefined)
      return fault('invalid', {
        field: 'code',
        code: 'wrong_code',
        message: 'This is not the code that the app shows now. Check that the clock of your phone is right.',
      });
    const { recovery, stored } = newCodes(memberId, context);
    const confirming = { accountId, memberId, secret: totp.secret, step, recovery: stored };
    const confirmed = await change('factors/totp/confirm', confirming);
    return isFault(confirmed) ? confirmed : { recovery };
  },

  'me/totp/remove': async ({ actor: { accountId, memberId }, change }) =>
    change('factors/totp/remove', { accountId, memberId }),

  'me/recovery': async ({ actor: { accountId, memberId }, change }, context) => {
    const { recovery, stored } = newCodes(memberId, context);
    const renewed = await change('factors/recovery/renew', { accountId, memberId, recovery: stored });
    return isFault(renewed) ? renewed : { recovery };
  },

  'sign-in/code': async (request, context) => {
    const step = { digest: context.digestOf(request.input.step), kind: 'code' } as const;
    const tried = await context.store.change('panel/steps/try', step);
    const begun = isFault(tried) ? undefined : tried.members[0];
    const person = begun && (await recheckProven(begun, context));
    if (!person) return stepExpired;
    request.identify(person);
    const used = await useCode(person, request.input.code, request.requester.address, context);
    if (isFault(used)) return used.fault === 'busy' ? fault('busy') : wrongCode;
    // Two valid codes at once are two sign-ins; the step can be used by only one of them.
    if (isFault(await context.store.change('panel/steps/take', step))) return stepExpired;
    const password = begun.proof === undefined ? undefined : (person.password ?? undefined);
    return completeSignIn(person, request, context, {
      password,
      providerId: begun.providerId,
      sid: begun.sid,
      begun: begun.begun,
    });
  },
};

export const factorHandlers = { ...codeHandlers, ...passkeyHandlers };
