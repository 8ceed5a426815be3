/** How many e-mails people may cause: each of them, and all of an account together. */
import type { Email, MailBy } from '../../domain/emails.ts';
import { guessesByRate, type ShareLimiter, type SharedGuessLimiter } from '../guess-limiter.ts';
import { createRateLimiter, type RateLimit } from '../rate-limiter.ts';

/** At once, and again within an hour. */
const perHour = (count: number): RateLimit => ({ perSecond: count / 3_600, burst: count });

const personBudget = perHour(100);
const accountBudget = perHour(500);

/** How many of so many e-mails the limiter allows. */
const take = async (limiter: SharedGuessLimiter, key: number, count: number): Promise<number> =>
  (await limiter.guess(Array<string>(count).fill(String(key)), '')).allowed.length;

export function createMailBudget(
  send: (email: Email) => Promise<boolean>,
  share: ShareLimiter,
  clock?: () => number,
): MailBy {
  const people = share('e-mails by a person', guessesByRate(createRateLimiter(personBudget, clock)));
  const accounts = share('e-mails by an account', guessesByRate(createRateLimiter(accountBudget, clock)));
  return async ({ accountId, memberId }, emails) => {
    const own = await take(people, memberId, emails.length);
    const allowed = own === 0 ? 0 : await take(accounts, accountId, own);
    const sent = await Promise.all(emails.slice(0, allowed).map(send));
    return allowed === emails.length && sent.every(Boolean);
  };
}
