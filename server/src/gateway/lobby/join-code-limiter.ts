/** Limits wrong guesses at the codes of invitations, per network and in total. */
import {
  addBounded,
  createGuessLimiter,
  keepToNode,
  type Guess,
  type GuessLimits,
} from '../../edges/guess-limiter.ts';

export interface JoinCodeLimiter {
  /** Returns an object that must be told the result; undefined when the network has reached its limit. */
  begin(join: JoinRequest, address: string): Promise<JoinAttempt | undefined>;
}

interface JoinRequest {
  code: string;
  /** The client's public key. */
  key: string;
}

interface JoinAttempt {
  /** The code exists, though another client may have joined with it: the attempt does not count. */
  right(): void;
  /** The client has joined with this code and may reconnect at any time. */
  joined(): void;
}

const perNetwork = { perSecond: 0.1, burst: 10 };

/**
 * Nine digits have nine hundred million values; one wrong guess per second covers about a ten-thousandth of them per day.
 *
 * A total limit alone would also refuse clients with a valid code, and one guesser could stop quick support for
 * everyone. So each network has a reserve of a few attempts that others cannot use up. It refills so slowly that ten
 * thousand networks gain only three guesses per second from it.
 */
const limits: GuessLimits = {
  perNetwork,
  perPair: perNetwork,
  total: { perSecond: 1, burst: 100 },
  reserve: { perNetwork: { perSecond: 1 / 3_600, burst: 3 } },
};

/** All codes count as one secret, because a guess may hit any of them. */
const codes = ['code'];

export function createJoinCodeLimiter(share = keepToNode, clock?: () => number): JoinCodeLimiter {
  const limiter = share('join codes', createGuessLimiter(limits, clock));
  // A client that reconnects with the same code and key is not guessing.
  const known = new Set<string>();
  const returning: JoinAttempt = { right() {}, joined() {} };

  return {
    async begin({ code, key }, address) {
      const client = `${code} ${key}`;
      if (known.has(client)) return returning;
      const guess: Guess = await limiter.guess(codes, address);
      if (guess.allowed.length === 0) return undefined;
      const right = (): void => guess.confirm(codes);
      return {
        right,
        joined() {
          right();
          addBounded(known, client);
        },
      };
    },
  };
}
