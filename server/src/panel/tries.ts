/** How often somebody may guess: a wrong guess costs, a right one does not, and nobody can shut another person out. */
import { createRate } from '../rate.ts';

export interface Tries {
  /**
   * Those of these people at whose passwords one may guess from there now; it costs until `right` gives it back. Who
   * share an address are counted apart: by the password of the one nobody gets to guess at the other's for nothing.
   */
  guess(people: readonly string[], address: string): readonly string[];
  right(people: readonly string[], address: string): void;
  /** Whether this person may try another code now. Whoever gets so far has their password, and guesses only a million. */
  code(memberId: number): boolean;
  rightCode(memberId: number): void;
  /** Whether somebody may begin with a passkey from there: what is begun is kept for minutes. */
  begin(address: string): boolean;
  /** Whether another letter may go to this address on behalf of somebody there. */
  letter(email: string, address: string): boolean;
}

/** By this a person is counted; who is not known, by the address they gave. */
export const personKey = ({ memberId }: { memberId: number }): string => String(memberId);

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
  const pairOf = (person: string, place: string): string => `${place} ${person}`;
  /** What limits guesses at this person from this place, beside the place itself. */
  const limit = (person: string, place: string) => {
    const pair = pairOf(person, place);
    return known.has(pair) ? { rate: perPair, who: pair } : { rate: perPerson, who: person };
  };
  const mayGuess = (person: string, place: string): boolean => {
    const { rate, who } = limit(person, place);
    return rate.allow(who);
  };

  return {
    guess(people, address) {
      const place = networkOf(address);
      return perPlace.allow(place) ? people.filter((each) => mayGuess(each, place)) : [];
    },
    right(people, address) {
      const place = networkOf(address);
      perPlace.giveBack(place);
      for (const person of people) {
        const { rate, who } = limit(person, place);
        rate.giveBack(who);
        if (known.size >= remembered) known.clear();
        known.add(pairOf(person, place));
      }
    },
    code: (memberId) => perCode.allow(String(memberId)),
    rightCode: (memberId) => perCode.giveBack(String(memberId)),
    begin: (address) => perBeginning.allow(networkOf(address)),
    letter: (email, address) => lettersFrom.allow(networkOf(address)) && lettersTo.allow(email),
  };
}
