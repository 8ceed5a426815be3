/** Signing in and out. One function per row of contract/src/panel/sign-in.ts, except those of factors.ts and reset.ts. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { Panel } from '@drawbridge/contract/panel/index';
import type { SignInCandidate } from '../../domain/people/panel.ts';
import { wideNetworkOf } from '../../domain/networks.ts';
import { fold } from '../../domain/text.ts';
import { checkPassword, type GivenPassword } from './check-password.ts';
import { brandOf } from '../rows/brand.ts';
import {
  replaceSession,
  newPanelSession,
  newSignInStep,
  continueSignIn,
  notSignedIn,
  toProven,
  stepExpired,
  recheckProven,
} from './sign-in-steps.ts';
import type { PanelHandlers, PanelContext, PanelRequester } from '../handler.ts';
import { supportsPasskeys } from './passkey-support.ts';
import { personKey } from './sign-in-limits.ts';

type Rows = Pick<
  Panel,
  'sign-in/options' | 'sign-in/password' | 'sign-in/account' | 'sign-in/link' | 'sign-out'
>;

const wrongPassword = notSignedIn('The e-mail address or the password is wrong.');
const deadLink = notSignedIn('This link was used, has expired or never existed. Ask for a new one.');

/** Where the account requires an identity provider, the person learns that; otherwise every cause reads the same. */
const toLinkRefusal = (refused: Fault<'not_found' | 'forbidden'>): Fault<'forbidden'> =>
  refused.fault === 'forbidden' ? fault('forbidden', refused) : deadLink;

interface PasswordHolders {
  /** The people with this password. */
  holders: SignInCandidate[];
  /** The people whose password could not be checked. */
  unchecked: SignInCandidate[];
  /** Why it could not, for the last of them. */
  reason: Fault<'busy'> | Fault<'forbidden'> | undefined;
}

/**
 * Takes as long if there is nobody. Only one check waits at a time, because all share the queue. A directory that does
 * not respond does not keep people out of their other accounts.
 */
async function holdersOf(
  given: GivenPassword,
  people: readonly SignInCandidate[],
  context: PanelContext,
): Promise<PasswordHolders> {
  const found: PasswordHolders = { holders: [], unchecked: [], reason: undefined };
  const fake = people.length === 0 ? await context.fakeVerify(given.queueKey) : undefined;
  if (isFault(fake)) return { ...found, reason: fake };
  for (const each of people) {
    const match = await checkPassword(each, given, context);
    if (isFault(match)) {
      found.unchecked.push(each);
      found.reason = match;
    } else if (match === 'right') found.holders.push(each);
  }
  return found;
}

/**
 * Whether guesses are allowed from this address now. Guesses from elsewhere do not count in networks where the person
 * signed in before.
 */
async function guessAt(
  people: readonly SignInCandidate[],
  email: string,
  { address }: PanelRequester,
  context: PanelContext,
) {
  const known = await context.store.panel.knownAt(people, { address, now: context.now() });
  const areUnknown = people.length === 0;
  const counted = areUnknown ? [email] : people.map(personKey);
  return context.tries.passwords.guess(counted, address, {
    trusted: [...known].map(String),
    areUnknown,
  });
}

export const signInHandlers: PanelHandlers<Rows> = {
  'sign-in/options': async (_request, context) => ({
    data: {
      passkeys: supportsPasskeys(context.publicUrl),
      mail: context.mail !== undefined,
      brand: await brandOf(context),
    },
  }),

  'sign-in/password': async (request, context) => {
    const { input, requester } = request;
    const email = fold(input.email);
    const people = await context.store.panel.byEmail(email);
    const guess = await guessAt(people, email, requester, context);
    if (guess.allowed.length === 0) return fault('busy');
    request.identify(...people);
    const guessed = people.filter((each) => guess.allowed.includes(personKey(each)));
    const queueKey = wideNetworkOf(requester.address);
    const { holders, unchecked, reason } = await holdersOf(
      { password: input.password, queueKey },
      guessed,
      context,
    );
    const [holder] = holders;
    if (!holder && reason) {
      guess.undo(guessed.length > 0 ? unchecked.map(personKey) : undefined);
      return reason;
    }
    if (!holder) return wrongPassword;
    guess.confirm(holders.map(personKey));
    if (holders.length === 1) return continueSignIn(holder, request, context, holder.password ?? undefined);
    request.identify();
    const { step, stored } = newSignInStep('account', holders.map(toProven(context)), context);
    await context.store.change('panel/steps/begin', stored);
    const accounts = holders.map(({ accountId, ownerEmail }) => ({
      account_id: accountId,
      owner: ownerEmail,
    }));
    return { next: 'account', step, accounts };
  },

  'sign-in/account': async (request, context) => {
    const { input } = request;
    const used = await context.store.change('panel/steps/take', {
      digest: context.digestOf(input.step),
      kind: 'account',
    });
    if (isFault(used)) return stepExpired;
    const chosen = used.members.find(({ accountId }) => accountId === input.account_id);
    const person = chosen && (await recheckProven(chosen, context));
    return person ? continueSignIn(person, request, context, person.password ?? undefined) : stepExpired;
  },

  'sign-in/link': async (request, context) => {
    const digest = context.digestOf(request.input.token);
    const person = await context.store.panel.byLink(digest);
    if (!person) return deadLink;
    request.identify(person);
    if (person.totp) {
      const { step, stored } = newSignInStep('code', [person], context);
      const used = await request.change('members/sign-in', { digest, step: stored });
      return isFault(used) ? toLinkRefusal(used) : { next: 'code', step };
    }
    const { token, session } = newPanelSession(request.requester, context);
    const used = await request.change('members/sign-in', { digest, session });
    return isFault(used) ? toLinkRefusal(used) : replaceSession(token, request.requester, context);
  },

  'sign-out': async ({ actor, session, change }, { store, identityProviders, publicUrl }) => {
    const { accountId, memberId } = actor;
    const provider = await store.providers.ofSession(accountId, session.id);
    await change('panel/sessions/end', { accountId, memberId, id: session.id });
    const url = provider && (await identityProviders.signOutUrl(provider, `${publicUrl}/sign-in`));
    return { cookie: 'clear', ...(url !== undefined && { url }) };
  },
};
