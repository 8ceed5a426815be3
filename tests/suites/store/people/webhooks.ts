/** Part of the store's suite: webhooks, and the messages that wait for them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webhookEvents, type WebhookEvent } from '@drawbridge/contract/choices';
import type { WebhookSettings } from '@drawbridge/server/domain/webhooks';
import { must } from '../../../kit/server/account.ts';
import { someWebhook, type StoreFixture } from '../fixture.ts';
import { askingAccount, codeOf } from './request-fixture.ts';

const accepted = { problem: '', httpStatus: 204 } as const;
const refused = { problem: 'refused', httpStatus: 500 } as const;
const day = 86_400;

/** An account in which somebody asks for access, with webhooks that are told. */
async function toldAccount(fixture: StoreFixture) {
  const { store } = fixture;
  const asking = await askingAccount(fixture);
  const { accountId, wanted } = asking;
  const create = async (settings: Partial<WebhookSettings> = {}) =>
    (await must(store, 'webhooks/create', someWebhook(accountId, settings))).id;
  const claim = async () => {
    const { claimed } = await must(store, 'webhooks/claim', { until: store.now() + 60, limit: 50 });
    return claimed.filter((each) => each.accountId === accountId);
  };
  const ask = async () => (await must(store, 'requests/create', wanted)).id;
  const state = async () => (await store.webhooks.list(accountId))[0]!;
  const eventOf = async (id: number) => (await store.webhooks.delivery(accountId, id))?.delivery.event;
  const id = await create();
  return { ...asking, id, create, claim, ask, state, eventOf };
}

export function webhooksSuite(fixture: () => StoreFixture): void {
  test('webhooks are listed, changed and removed within the account, up to a limit', async () => {
    const { store, sql } = fixture();
    const other = await toldAccount(fixture());
    const { accountId, id, state } = await toldAccount(fixture());
    const update = (settings: Partial<WebhookSettings>, of = accountId) =>
      store.change('webhooks/update', { accountId: of, id, settings });

    assert.equal(codeOf(await update({ name: 'x' }, other.accountId)), 'not_found id');
    assert.equal(codeOf(await update({ events: ['access_denied', 'access_denied'] })), 'done');
    assert.equal(codeOf(await update({})), 'done');
    assert.deepEqual((await state()).events, ['access_denied']);
    assert.equal(await store.webhooks.target(other.accountId, id), undefined);
    assert.deepEqual((await store.webhooks.target(accountId, id))!.secrets, ['whsec_AAAA']);
    const copied =
      'account_id, name, url, ca, secret, events, enabled, create_time, problem, http_status, lost';
    const copies = Array.from({ length: 48 }, () => `select ${copied} from webhook where id = ${id}`);
    await sql(`insert into webhook (${copied}) ${copies.join(' union all ')}`);
    assert.equal(codeOf(await store.change('webhooks/create', someWebhook(accountId))), 'done');
    assert.equal(codeOf(await store.change('webhooks/create', someWebhook(accountId))), 'invalid');
    const remove = (of: number) => store.change('webhooks/remove', { accountId: of, id });
    assert.equal(codeOf(await remove(other.accountId)), 'not_found id');
    assert.equal(codeOf(await remove(accountId)), 'done');
    assert.equal((await store.webhooks.list(accountId)).length, 49);
  });

  test('after a renewal the secret before signs too for a while, and is then forgotten', async () => {
    const { store, advance, sql } = fixture();
    const other = await toldAccount(fixture());
    const { accountId, id, claim, ask } = await toldAccount(fixture());
    const renew = (secret: string, of = accountId) =>
      store.change('webhooks/renew', { accountId: of, id, secret, oldUntil: store.now() + day });
    const secrets = async () => (await store.webhooks.target(accountId, id))!.secrets;
    const deliver = async () => {
      await ask();
      const [claimed] = await claim();
      const found = await store.webhooks.delivery(accountId, claimed!.id);
      await must(store, 'webhooks/settle', { ...claimed!, answer: accepted });
      return found!.target.secrets;
    };

    assert.equal(codeOf(await renew('whsec_BBBB', other.accountId)), 'not_found id');
    assert.equal(codeOf(await renew('whsec_BBBB')), 'done');
    assert.deepEqual(await deliver(), ['whsec_BBBB', 'whsec_AAAA']);
    assert.equal(codeOf(await renew('whsec_CCCC')), 'done');
    assert.deepEqual(await secrets(), ['whsec_CCCC', 'whsec_BBBB']);
    advance(day);
    assert.deepEqual(await deliver(), ['whsec_CCCC']);
    await sql(`update webhook set old_until = 9000000000 where id = ${id}`);
    assert.deepEqual(await secrets(), ['whsec_CCCC', ''], 'it is no longer stored');
  });

  test('every event is queued with what it tells, for the webhooks that want it', async () => {
    const { store, advance } = fixture();
    const told = await toldAccount(fixture());
    const { accountId, owner, bob, create, claim, ask, eventOf, wanted } = told;
    const only = await create({ events: ['access_denied'] });
    await create({ enabled: false });
    const decide = { accountId, by: bob.id };
    await must(store, 'requests/approve', { ...decide, id: await ask() });
    await must(store, 'requests/deny', { ...decide, id: await ask(), decision: 'No' });
    await must(store, 'requests/cancel', { ...decide, id: await ask() });
    await must(store, 'requests/settings', { accountId, by: owner.id, emergency: true });
    const { id: taken } = await must(store, 'requests/emergency', wanted);
    await must(store, 'requests/cancel', { ...decide, id: taken });
    advance(wanted.minutes * 60);
    await must(store, 'requests/sweep', { createdBefore: 0 });

    const events: (string | undefined)[] = [];
    for (let round = await claim(); round.length > 0; round = await claim())
      for (const { id, attempts } of round) {
        events.push(await eventOf(id));
        await must(store, 'webhooks/settle', { accountId, id, attempts, answer: accepted });
      }
    const expected: WebhookEvent[] = [...webhookEvents, 'access_denied', 'access_ended'];
    const asked = ['access_requested', 'access_requested'];
    assert.deepEqual(events.toSorted(), [...expected, ...asked].toSorted());
    const waiting = (await store.webhooks.list(accountId)).map((each) => [each.id === only, each.waiting]);
    assert.deepEqual(waiting, [
      [false, 0],
      [true, 0],
      [false, 0],
    ]);
  });

  test('a message is claimed by one process, and by another when the first does not come back', async () => {
    const { store, advance } = fixture();
    const { claim, ask, eventOf, state } = await toldAccount(fixture());
    await ask();
    await ask();
    assert.equal(await store.webhooks.hasDue(store.now()), true);
    const claimed = [...(await Promise.all([claim(), claim()])), await claim(), await claim()];
    assert.ok(
      claimed.every((each) => each.length <= 1),
      'one message per webhook and round',
    );
    const ids = claimed.flat().map(({ id }) => id);
    assert.deepEqual([ids.length, new Set(ids).size], [2, 2]);
    advance(60);
    const again = (await claim())[0]!;
    assert.deepEqual([again.id, again.attempts], [Math.min(...ids), 2]);
    // The process that was late changes nothing: another one sends the message now.
    await must(store, 'webhooks/settle', { ...again, attempts: 1, answer: accepted });
    assert.equal(await eventOf(again.id), 'access_requested');
    await must(store, 'webhooks/settle', { ...again, answer: accepted });
    assert.equal(await eventOf(again.id), undefined);
    assert.deepEqual([(await state()).lastTime, (await state()).httpStatus], [store.now(), 204]);
  });

  test('a message that is refused is tried again for a day, later each time, then given up', async () => {
    const { store, advance } = fixture();
    const { claim, ask, state } = await toldAccount(fixture());
    await ask();
    const began = store.now();
    const attempts: number[] = [];
    while ((await state()).nextTime !== null) {
      advance((await state()).nextTime! - store.now());
      attempts.push(store.now() - began);
      await must(store, 'webhooks/settle', { ...(await claim())[0]!, answer: refused });
    }
    assert.deepEqual(attempts.slice(0, 5), [0, 10, 50, 210, 850]);
    assert.ok(attempts.length >= 9 && attempts.at(-1)! <= day && attempts.at(-1)! > day - 14_400);
    const { problem, httpStatus, lost, failingSince, enabled } = await state();
    assert.deepEqual([problem, httpStatus, lost, failingSince, enabled], ['refused', 500, 1, began, true]);
    await ask();
    await must(store, 'webhooks/settle', { ...(await claim())[0]!, answer: accepted });
    assert.deepEqual([(await state()).failingSince, (await state()).problem], [null, '']);
  });

  test('a webhook that fails for five days is disabled, with a line in the audit log; it can be enabled again', async () => {
    const { store, advance } = fixture();
    const { accountId, owner, id, claim, ask, state } = await toldAccount(fixture());
    const fail = async () => must(store, 'webhooks/settle', { ...(await claim())[0]!, answer: refused });
    await ask();
    assert.deepEqual(await fail(), {});
    advance(5 * day);
    await ask();
    await ask();
    await must(store, 'webhooks/update', { accountId, id, settings: { name: 'Chat' } });
    assert.deepEqual(await fail(), { disabled: { name: 'Chat', admins: [owner.email] } });
    const { enabled, disabledTime, waiting, lost } = await state();
    assert.deepEqual([enabled, disabledTime, waiting, lost], [false, store.now(), 0, 3]);
    const { rows } = await store.audit.list(accountId, { offset: 0, limit: 1 });
    assert.equal(rows[0]?.operation, 'server/webhook-disable');
    await ask();
    assert.equal((await state()).waiting, 0);
    await must(store, 'webhooks/update', { accountId, id, settings: { enabled: true } });
    await ask();
    assert.deepEqual([(await state()).waiting, (await state()).disabledTime], [1, null]);
    await must(store, 'webhooks/update', { accountId, id, settings: { enabled: false } });
    assert.equal((await state()).waiting, 0);
  });

  test('at most 1,000 messages wait for a webhook; further ones are counted as lost', async () => {
    const { sql } = fixture();
    const { accountId, id, ask, state } = await toldAccount(fixture());
    const row = `(${accountId}, ${id}, 'access_ended', '{}', 1, 0, 9000000000)`;
    await sql(`insert into webhook_delivery (account_id, webhook_id, event, content, create_time, attempts, next_time)
               values ${Array.from({ length: 999 }, () => row).join(', ')}`);
    await ask();
    assert.deepEqual([(await state()).waiting, (await state()).lost], [1_000, 0]);
    await ask();
    assert.deepEqual([(await state()).waiting, (await state()).lost], [1_000, 1]);
  });
}
