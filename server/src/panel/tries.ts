/** How often somebody may guess at the panel, and ask for letters. */
import { createRate, networkOf } from '../rate.ts';
import { createTries as createGuesses, type Tries as Guesses } from '../tries.ts';

export interface Tries extends Guesses {
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

export function createTries(): Tries {
  // Who share an address are counted apart: by the password of the one nobody gets to guess at the other's for nothing.
  const passwords = createGuesses({
    perPlace: { perSecond: 0.2, burst: 20 },
    perPair: { perSecond: 0.1, burst: 20 },
    altogether: { perSecond: 0.1, burst: 20 },
    trusts: true,
  });
  const perCode = createRate({ perSecond: 0.02, burst: 10 });
  const perBeginning = createRate({ perSecond: 0.5, burst: 30 });
  const lettersFrom = createRate({ perSecond: 0.01, burst: 10 });
  const lettersTo = createRate({ perSecond: 0.002, burst: 3 });
  return {
    ...passwords,
    code: (memberId) => perCode.allow(String(memberId)),
    rightCode: (memberId) => perCode.giveBack(String(memberId)),
    begin: (address) => perBeginning.allow(networkOf(address)),
    letter: (email, address) => lettersFrom.allow(networkOf(address)) && lettersTo.allow(email),
  };
}
