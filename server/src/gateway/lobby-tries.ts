/** Slows down those who guess codes of invitations: few wrong ones from one address, and not many from all together. */
import { createRate } from '../rate.ts';

export interface Tries {
  /** Whether this address may try a code now. */
  begin(address: string): boolean;
  /** The code was right: the try does not count. */
  succeed(address: string): void;
}

/** Nine digits have nine hundred million values; a wrong one a second is a ninth of a thousandth of them a day. */
export function createTries(
  perAddress = createRate({ perSecond: 0.1, burst: 10 }),
  altogether = createRate({ perSecond: 1, burst: 100 }),
): Tries {
  return {
    begin(address) {
      if (!perAddress.allow(address)) return false;
      if (altogether.allow('')) return true;
      perAddress.allow(address, -1);
      return false;
    },
    succeed(address) {
      perAddress.allow(address, -1);
      altogether.allow('', -1);
    },
  };
}
