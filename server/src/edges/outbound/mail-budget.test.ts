/** The budget of e-mails that people cause. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Email } from '../../domain/emails.ts';
import { keepToNode } from '../guess-limiter.ts';
import { createMailBudget } from './mail-budget.ts';

test('a person causes 100 e-mails an hour, an account 500, and the rest is left out', async () => {
  let now = 0;
  const sent: string[] = [];
  const send = async ({ to }: Email) => sent.push(to) > 0;
  const mailBy = createMailBudget(send, keepToNode, () => now);
  const emails = (count: number): Email[] =>
    Array.from({ length: count }, (_, at) => ({ to: `p${at}@example.com`, subject: '', text: '' }));
  const causes = async (memberId: number, count: number, accountId = 1): Promise<[boolean, number]> => {
    const before = sent.length;
    return [await mailBy({ accountId, memberId }, emails(count)), sent.length - before];
  };

  assert.deepEqual(await causes(1, 60), [true, 60]);
  assert.deepEqual(await causes(1, 60), [false, 40]);
  assert.deepEqual(await causes(1, 1), [false, 0]);
  for (const memberId of [2, 3, 4, 5]) assert.deepEqual(await causes(memberId, 100), [true, 100]);
  assert.deepEqual(await causes(6, 50), [false, 0]);
  assert.deepEqual(await causes(7, 50, 2), [true, 50]);
  now += 3_600_000;
  assert.deepEqual(await causes(1, 100), [true, 100]);
});
