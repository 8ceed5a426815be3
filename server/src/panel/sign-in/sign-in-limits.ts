/** How often somebody may guess in the panel, and request e-mails. */
import { networkOf } from '../../domain/networks.ts';
import { createRateLimiter, type RateLimit } from '../../edges/rate-limiter.ts';
import {
  createGuessLimiter,
  guessesByRate,
  keepToNode,
  type GuessLimits,
  type SharedGuessLimiter,
} from '../../edges/guess-limiter.ts';

export interface SignInLimits {
  /** For passwords when signing in. */
  passwords: SharedGuessLimiter;
  /** For codes of authenticator apps. Anyone who gets this far has the password and guesses among only a million codes. */
  codes: SharedGuessLimiter;
  /** For the password of a signed-in person, per session. */
  confirmations: SharedGuessLimiter;
  /** Whether a passkey challenge may be created for this address: challenges are stored for minutes. */
  mayBeginPasskey(address: string): Promise<boolean>;
  /** Whether a sign-in with an identity provider may begin or end for this address: each can cause requests to a provider. */
  maySso(address: string): Promise<boolean>;
  /** Whether an answer that belongs to no sign-in may leave a line in the audit log of this account. */
  mayNoteAnswer(accountId: number): Promise<boolean>;
  /** Whether another e-mail may be sent to this address on behalf of the caller. */
  mayEmail(email: string, address: string): Promise<boolean>;
}

/** The key by which a person is counted; unknown people are counted by the address they entered. */
export const personKey = ({ memberId }: { memberId: number }): string => String(memberId);

/**
 * From networks where the person never signed in, all attackers together can check at most 120 of their passwords at
 * once and 2,592 a day: 864 that any network may use, and 1,728 of the reserve, of which one network gets 3 and then
 * one an hour. So 34 networks are needed to use up the reserve, and 72 to keep it used up. A network where the person
 * did sign in has 10 at once and 1,728 a day of its own.
 */
const signInPasswordLimits: GuessLimits = {
  perNetwork: { perSecond: 0.2, burst: 20 },
  perPair: { perSecond: 0.02, burst: 10 },
  total: { perSecond: 0.01, burst: 20 },
  reserve: {
    perNetwork: { perSecond: 1 / 3_600, burst: 3 },
    total: { perSecond: 0.02, burst: 100 },
  },
};

/**
 * Three of a million codes are valid at any moment. 1,296 guesses a day, from networks where the person never signed
 * in, find one of them with a probability of 0.4 percent, and only if the password is already known.
 */
const signInCodeLimits: GuessLimits = {
  perNetwork: { perSecond: 0.2, burst: 20 },
  perPair: { perSecond: 0.01, burst: 10 },
  total: { perSecond: 0.01, burst: 10 },
  reserve: {
    perNetwork: { perSecond: 1 / 3_600, burst: 3 },
    total: { perSecond: 0.005, burst: 30 },
  },
};

export function createSignInLimits(share = keepToNode, clock?: () => number): SignInLimits {
  const shareRate = (name: string, limit: RateLimit): SharedGuessLimiter =>
    share(name, guessesByRate(createRateLimiter(limit, clock)));
  const mayUse = async (limiter: SharedGuessLimiter, key: string): Promise<boolean> =>
    (await limiter.guess([key], '')).allowed.length > 0;
  const passkeyStarts = shareRate('passkey starts', { perSecond: 0.5, burst: 30 });
  // A whole office begins its day behind one address; names of providers are too long to be guessed at any rate.
  const ssoSteps = shareRate('steps of single sign-on', { perSecond: 2, burst: 200 });
  // Sign-in names are known to everybody in an organisation, and to anyone who reads an address over a shoulder.
  const unknownAnswers = shareRate('unknown answers of single sign-on', { perSecond: 1 / 60, burst: 30 });
  const emailsFrom = shareRate('e-mails from a network', { perSecond: 0.01, burst: 10 });
  const emailsTo = shareRate('e-mails to a person', { perSecond: 0.002, burst: 3 });
  return {
    // People who share an e-mail address are counted separately: knowing one of their passwords gives no free guesses
    // at the others.
    passwords: share('passwords', createGuessLimiter(signInPasswordLimits, clock)),
    codes: share('codes', createGuessLimiter(signInCodeLimits, clock)),
    // A session ends after twelve hours, so somebody else has 725 guesses in a browser that was left open.
    confirmations: shareRate('confirmations', { perSecond: 1 / 60, burst: 5 }),
    mayBeginPasskey: (address) => mayUse(passkeyStarts, networkOf(address)),
    maySso: (address) => mayUse(ssoSteps, networkOf(address)),
    mayNoteAnswer: (accountId) => mayUse(unknownAnswers, String(accountId)),
    mayEmail: async (email, address) =>
      (await mayUse(emailsFrom, networkOf(address))) && mayUse(emailsTo, email),
  };
}
