/** How many requests for access there may be, in SQL. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import type { MemberRef } from '../../../domain/people/panel.ts';
import {
  maxHourlyRequests,
  maxWaitingInAccount,
  maxWaitingRequests,
} from '../../../domain/people/access-requests.ts';
import type { Tx } from '../../engine/transaction.ts';

const tooMany = (message: string): Fault<'invalid'> =>
  fault('invalid', { code: 'too_many_requests', message });

const countRequests = ({ db }: Tx, accountId: number) =>
  db
    .selectFrom('access_request')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId);

const numberOf = async (query: ReturnType<typeof countRequests>): Promise<number> =>
  Number((await query.executeTakeFirstOrThrow()).count);

/** Refuses a person who asked too often within an hour, emergencies included. Withdrawn requests count, too. */
export async function findHourlyExcess(
  tx: Tx,
  { accountId, memberId }: MemberRef,
): Promise<Fault<'invalid'> | undefined> {
  const asked = await numberOf(
    countRequests(tx, accountId)
      .where('member_id', '=', memberId)
      .where('create_time', '>', tx.now - 3_600),
  );
  if (asked < maxHourlyRequests) return undefined;
  return tooMany(`You can ask at most ${maxHourlyRequests} times within an hour. Try again later.`);
}

/** Refuses another request that waits, if too many of the person or of the account wait already. */
export async function findWaitingExcess(
  tx: Tx,
  { accountId, memberId }: MemberRef,
): Promise<Fault<'invalid'> | undefined> {
  const waiting = countRequests(tx, accountId)
    .where('state', '=', 'waiting')
    .where('expire_time', '>', tx.now);
  if ((await numberOf(waiting.where('member_id', '=', memberId))) >= maxWaitingRequests)
    return tooMany(`At most ${maxWaitingRequests} of your requests can wait. Withdraw one first.`);
  if ((await numberOf(waiting)) >= maxWaitingInAccount)
    return tooMany(
      `At most ${maxWaitingInAccount} requests of an account can wait. Somebody has to answer some first.`,
    );
  return undefined;
}
