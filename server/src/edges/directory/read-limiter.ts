/** Limits how many directories are read at the same time because people ask: one of an account, and a few in total. The others wait. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import { createFairQueue } from '../fair-queue.ts';
import { createKeyedQueue } from '../keyed-queue.ts';

interface ReadLimits {
  /** How many directories are read at the same time. */
  concurrency: number;
  /** How many reads of one account can run or wait. */
  perAccount: number;
  /** How many accounts can wait. */
  accounts: number;
}

export type ReadLimiter = <T>(accountId: number, read: () => Promise<T>) => Promise<T | Fault<'invalid'>>;

const tooManyReads = fault('invalid', {
  code: 'too_many_reads',
  message: 'Too many directories wait to be read. Try again in a few minutes.',
});

export function createReadLimiter({ concurrency, perAccount, accounts }: ReadLimits): ReadLimiter {
  const asked = new Map<number, number>();
  const ofAccount = createKeyedQueue();
  const inTotal = createFairQueue({ concurrency, perKey: 1, capacity: accounts }, tooManyReads);
  return async (accountId, read) => {
    const earlier = asked.get(accountId) ?? 0;
    if (earlier >= perAccount) return tooManyReads;
    asked.set(accountId, earlier + 1);
    const key = String(accountId);
    try {
      return await ofAccount.run(key, () => inTotal(key, read));
    } finally {
      const left = asked.get(accountId)! - 1;
      if (left === 0) asked.delete(accountId);
      else asked.set(accountId, left);
    }
  };
}
