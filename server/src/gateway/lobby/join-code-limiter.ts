/** Slows down those who guess codes of invitations: few wrong ones from one network, and not many from all together. */
import { createGuessLimiter, addBounded, type Guess, type GuessLimits } from '../../edges/guess-limiter.ts';

export interface JoinCodeLimiter {
  /** What is to be told how it ended; undefined when nobody may try a code from there now. */
  begin(join: JoinRequest, address: string): JoinAttempt | undefined;
}

export interface JoinRequest {
  code: string;
  /** The client's own. */
  key: string;
}

export interface JoinAttempt {
  /** The code leads somewhere, though somebody else may be there: the try does not count. */
  right(): void;
  /** It is this client's place from now on, to which it may come back whenever it likes. */
  joined(): void;
}

const perNetwork = { perSecond: 0.1, burst: 10 };

/**
 * Nine digits have nine hundred million values; a wrong one a second is a ninth of a thousandth of them a day.
 *
 * What all have guessed wrong together would also refuse those with a right code, and one guesser could stop quick
 * support for everybody. So it slows down only who guesses: each network has a few tries that nobody else can use up,
 * so rarely more that ten thousand networks gain three guesses a second by them.
 */
const limits: GuessLimits = {
  perNetwork,
  perPair: perNetwork,
  total: { perSecond: 1, burst: 100 },
  reserve: { perNetwork: { perSecond: 1 / 3_600, burst: 3 } },
};

/** All codes are one secret: whoever guesses, guesses at any of them. */
const codes = ['code'];

export function createJoinCodeLimiter(clock?: () => number): JoinCodeLimiter {
  const limiter = createGuessLimiter(limits, clock);
  // Who comes back with the same code and key guesses at nothing.
  const known = new Set<string>();
  const returning: JoinAttempt = { right() {}, joined() {} };

  return {
    begin({ code, key }, address) {
      const name = `${code} ${key}`;
      if (known.has(name)) return returning;
      const guess: Guess = limiter.guess(codes, address);
      if (guess.allowed.length === 0) return undefined;
      const right = (): void => guess.confirm(codes);
      return {
        right,
        joined() {
          right();
          addBounded(known, name);
        },
      };
    },
  };
}
