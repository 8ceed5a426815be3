/** One address in several accounts: what a person holds in one reveals and opens nothing of the other. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { random } from '@drawbridge/server/edges/random';
import { codeOfStep, stepAt } from '@drawbridge/server/panel/sign-in/totp';
import { must, type TestAccount } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openMailbox } from '../kit/server/mailbox.ts';
import { setPassword, openPanelClient, openSignedInPanel, type PanelResponse } from '../kit/server/panel.ts';

const password = 'correct horse 7';
const codeOf = ({ body }: PanelResponse): string | undefined => body.error?.code;

/** A person with this address in someone else's account, who signed in by the link. */
async function twinOf(email: string, service: TestService): Promise<{ account: TestAccount; id: number }> {
  const account = await service.account();
  const { body } = await account.owner.call('team/member/invite', { email });
  const token = (body['url'] as string).split('/').at(-1)!;
  assert.equal((await openPanelClient(service).ask('sign-in/link', { token })).http, 200);
  return { account, id: body['id'] as number };
}

for (const { kind, skip } of databases)
  describe(`one address in several accounts, on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => void (service = await startService({ database: kind })));
    after(() => service[Symbol.asyncDispose]());

    test('nobody finds out the password of another by guessing at both with their own', async () => {
      const victim = await service.account();
      const { email } = victim.owner;
      const twin = await twinOf(email, service);
      await setPassword(service, victim, victim.owner, password);
      const guess = async (tried: string): Promise<PanelResponse> => {
        await setPassword(service, twin.account, twin, tried);
        return openPanelClient(service).ask('sign-in/password', { email, password: tried });
      };

      // Twenty are free and one is added every ten seconds: so many that a slow machine does not matter.
      for (let count = 0; count < 30; count += 1)
        assert.equal((await guess(`wrong horse ${count}`)).body['next'], 'done');
      const { body } = await guess(password);

      assert.deepEqual([body['next'], body['accounts']], ['done', undefined]);
    });

    test('what began with a password ends when that password is no longer theirs', async () => {
      const victim = await service.account();
      const { email } = victim.owner;
      const twin = await twinOf(email, service);
      await setPassword(service, victim, victim.owner, password);
      await setPassword(service, twin.account, twin, password);
      const browser = openPanelClient(service);
      const { body } = await browser.ask('sign-in/password', { email, password });
      assert.equal(body['next'], 'account');

      await setPassword(service, victim, victim.owner, 'another horse 8');
      const chosen = await browser.ask('sign-in/account', { step: body['step'], account_id: victim.id });

      assert.deepEqual([chosen.http, codeOf(chosen), browser.cookie], [403, 'not_signed_in', undefined]);
    });

    test('a code does not complete what began with a previous password', async () => {
      const account = await service.account();
      const { owner } = account;
      await setPassword(service, account, owner, password);
      const { secret } = (await (await openSignedInPanel(service, account, owner)).ask('me/totp/begin')).body;
      const memberRef = { accountId: account.id, memberId: owner.id };
      await must(service.server.store, 'factors/totp/confirm', {
        ...memberRef,
        secret,
        step: 1,
        recovery: [],
      });
      const begin = async () => {
        const browser = openPanelClient(service);
        const { body } = await browser.ask('sign-in/password', { email: owner.email, password });
        return { browser, step: body['step'] as string };
      };
      const code = codeOfStep(secret, stepAt(service.server.store.now()));
      const { browser, step } = await begin();

      await setPassword(service, account, owner, 'another horse 8');
      const late = await browser.ask('sign-in/code', { step, code });
      await setPassword(service, account, owner, password);
      const again = await begin();
      const right = await again.browser.ask('sign-in/code', { step: again.step, code });

      assert.deepEqual([late.http, codeOf(late), browser.cookie], [403, 'not_signed_in', undefined]);
      assert.equal(right.body['next'], 'done');
    });
  });

test('a recovery link goes to the stored address of each person, with nobody else’s link in the email', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const name = `mike-${random.digits(6)}`;
  const [one, other] = [await service.account(`${name.toUpperCase()}@example.com`), await service.account()];
  const twin = await other.owner.call('team/member/invite', { email: `${name}@example.com` });
  await mailbox.next();
  const token = (twin.body['url'] as string).split('/').at(-1)!;
  await openPanelClient(service).ask('sign-in/link', { token });

  await openPanelClient(service).ask('sign-in/forgot', { email: `${name}@example.com` });

  const emails = [await mailbox.next(), await mailbox.next()];
  const emailOf = async (text: string): Promise<string> => {
    const [, link] = /\/sign-in\/([\w-]{43})/.exec(text)!;
    const browser = openPanelClient(service);
    await browser.ask('sign-in/link', { token: link });
    return (await browser.ask('me')).body['data'].email as string;
  };
  for (const { to, text } of emails) {
    assert.equal(text.match(/\/sign-in\//g)?.length, 1);
    assert.deepEqual(to, [await emailOf(text)]);
  }
  assert.deepEqual(
    emails.flatMap(({ to }) => to).toSorted(),
    [one.owner.email, `${name}@example.com`].toSorted(),
  );
});
