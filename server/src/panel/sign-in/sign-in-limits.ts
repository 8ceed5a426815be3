/** How often somebody may guess at the panel, and ask for letters. */
import { networkOf } from '../../domain/networks.ts';
import { createRateLimiter, type RateLimiter } from '../../edges/rate-limiter.ts';
import { createGuessLimiter, type GuessLimits, type GuessLimiter } from '../../edges/guess-limiter.ts';

export interface SignInLimits {
  /** At passwords, when signing in. */
  passwords: GuessLimiter;
  /** At codes of authenticator apps. Anyone who gets so far has the password, and guesses only among a million. */
  codes: GuessLimiter;
  /** At the password of somebody who is signed in, by the session that asks. */
  confirmations: RateLimiter;
  /** Whether somebody may begin with a passkey from there: what is begun is kept for minutes. */
  mayBeginPasskey(address: string): boolean;
  /** Whether another letter may go to this address on behalf of somebody there. */
  mayEmail(email: string, address: string): boolean;
}

/** By this a person is counted; who is not known, by the address they gave. */
export const personKey = ({ memberId }: { memberId: number }): string => String(memberId);

/**
 * From networks where the person never signed in, all together look at no more than 120 passwords of theirs at once and
 * 2,592 a day: 864 that any network may use, and 1,728 of the reserve, of which one network gets 3 and then one an
 * hour. So 34 networks are needed to use up the reserve, and 72 to keep it used up. A network where they did sign in
 * has 10 at once and 1,728 a day of its own.
 */
export const signInPasswordLimits: GuessLimits = {
  perNetwork: { perSecond: 0.2, burst: 20 },
  perPair: { perSecond: 0.02, burst: 10 },
  total: { perSecond: 0.01, burst: 20 },
  reserve: {
    perNetwork: { perSecond: 1 / 3_600, burst: 3 },
    total: { perSecond: 0.02, burst: 100 },
  },
};

/**
 * Three of a million codes are right at any moment. 1,296 guesses a day, from networks where the person never signed in,
 * find one of them with a probability of 0.4 percent; for that the password must be known already.
 */
export const signInCodeLimits: GuessLimits = {
  perNetwork: { perSecond: 0.2, burst: 20 },
  perPair: { perSecond: 0.01, burst: 10 },
  total: { perSecond: 0.01, burst: 10 },
  reserve: {
    perNetwork: { perSecond: 1 / 3_600, burst: 3 },
    total: { perSecond: 0.005, burst: 30 },
  },
};

export function createSignInLimits(clock?: () => number): SignInLimits {
  const passkeyStarts = createRateLimiter({ perSecond: 0.5, burst: 30 }, clock);
  const emailsFrom = createRateLimiter({ perSecond: 0.01, burst: 10 }, clock);
  const emailsTo = createRateLimiter({ perSecond: 0.002, burst: 3 }, clock);
  return {
    // People who share an address are counted apart: by the password of one of them nobody gets to guess at the other's for nothing.
    passwords: createGuessLimiter(signInPasswordLimits, clock),
    codes: createGuessLimiter(signInCodeLimits, clock),
    // A session ends after twelve hours: in a browser that was left open somebody else has 725 guesses.
    confirmations: createRateLimiter({ perSecond: 1 / 60, burst: 5 }, clock),
    mayBeginPasskey: (address) => passkeyStarts.allow(networkOf(address)),
    mayEmail: (email, address) => emailsFrom.allow(networkOf(address)) && emailsTo.allow(email),
  };
}
