/** How often somebody may guess: a wrong guess costs, a right one does not, and nobody can shut another person out. */
import { createRate } from '../rate.ts';

export interface Tries {
  /** Whether a password may be tried for this address now; it costs until `right` gives it back. */
  guess(email: string, address: string): boolean;
  right(email: string, address: string): void;
  /** Whether this person may try another code now. Whoever gets so far has their password, and guesses only a million. */
  code(memberId: number): boolean;
  rightCode(memberId: number): void;
  /** Whether somebody may begin with a passkey from there: what is begun is kept for minutes. */
  begin(address: string): boolean;
  /** Whether another letter may go to this address on behalf of somebody there. */
  letter(email: string, address: string): boolean;
}

/** How many pairs of person and place are remembered. */
const remembered = 50_000;

/** Whoever has a network of the newer kind has more addresses in it than can be counted. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const gap = Array.from({ length: Math.max(8 - before.length - after.length, 0) }, () => '0');
  return [...before, ...gap, ...after].slice(0, 4).join(':');
}

export function createTries(): Tries {
  const perPlace = createRate({ perSecond: 0.2, burst: 20 });
  const perPerson = createRate({ perSecond: 0.1, burst: 20 });
  const perPair = createRate({ perSecond: 0.1, burst: 20 });
  const perCode = createRate({ perSecond: 0.02, burst: 10 });
  const perBeginning = createRate({ perSecond: 0.5, burst: 30 });
  const lettersFrom = createRate({ perSecond: 0.01, burst: 10 });
  const lettersTo = createRate({ perSecond: 0.002, burst: 3 });
  // Where somebody has signed in before, the guesses of others elsewhere do not count against them.
  const known = new Set<string>();
  const pairOf = (email: string, place: string): string => `${place} ${email}`;
  /** What limits guesses at this person from this place, beside the place itself. */
  const limit = (email: string, place: string) => {
    const pair = pairOf(email, place);
    return known.has(pair) ? { rate: perPair, who: pair } : { rate: perPerson, who: email };
  };

  return {
    guess(email, address) {
      const place = networkOf(address);
      const { rate, who } = limit(email, place);
      return perPlace.allow(place) && rate.allow(who);
    },
    right(email, address) {
      const place = networkOf(address);
      const { rate, who } = limit(email, place);
      perPlace.giveBack(place);
      rate.giveBack(who);
      if (known.size >= remembered) known.clear();
      known.add(pairOf(email, place));
    },
    code: (memberId) => perCode.allow(String(memberId)),
    rightCode: (memberId) => perCode.giveBack(String(memberId)),
    begin: (address) => perBeginning.allow(networkOf(address)),
    letter: (email, address) => lettersFrom.allow(networkOf(address)) && lettersTo.allow(email),
  };
}
