/** Authenticator apps and recovery codes: enabled, required, used once each. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { codeOfStep, stepAt } from '@drawbridge/server/panel/sign-in/totp';
import type { TestPerson, TestAccount } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import {
  setPassword,
  openPanelClient,
  openSignedInPanel,
  type PanelResponse,
  type PanelClient,
} from '../kit/server/panel.ts';

const password = 'correct horse 7';
const codeOf = ({ body }: PanelResponse): string | undefined => body.error?.code;

for (const { kind, skip } of databases)
  describe(`second factors, on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => void (service = await startService({ database: kind })));
    after(() => service[Symbol.asyncDispose]());

    const codeNow = (secret: string): string => codeOfStep(secret, stepAt(service.server.store.now()));

    /** A person who has enabled an app. The half minute in which they did is over. */
    async function withApp(): Promise<{
      account: TestAccount;
      person: TestPerson;
      panel: PanelClient;
      secret: string;
      recovery: string[];
    }> {
      const account = await service.account();
      const person = account.owner;
      await setPassword(service, account, person, password);
      const panel = await openSignedInPanel(service, account, person);
      const { secret } = (await panel.ask('me/totp/begin')).body;
      const { body } = await panel.ask('me/totp/confirm', { code: codeNow(secret) });
      service.advance(60);
      return { account, person, panel, secret, recovery: body['recovery'] };
    }

    /** A browser that has sent the password and has to send a code. */
    async function asked({ email }: TestPerson): Promise<{ browser: PanelClient; step: string }> {
      const browser = openPanelClient(service);
      const { body } = await browser.ask('sign-in/password', { email, password });
      assert.equal(body['next'], 'code');
      return { browser, step: body['step'] };
    }

    test('an app is required from the first code on, and then password and code are needed to sign in', async () => {
      const account = await service.account();
      const { owner } = account;
      await setPassword(service, account, owner, password);
      const panel = await openSignedInPanel(service, account, owner);
      const { secret, url } = (await panel.ask('me/totp/begin')).body;
      const earlier = await openPanelClient(service).ask('sign-in/password', {
        email: owner.email,
        password,
      });

      const wrong = await panel.ask('me/totp/confirm', { code: '000000' });
      const { body } = await panel.ask('me/totp/confirm', { code: codeNow(secret) });

      assert.ok(url.startsWith('otpauth://totp/') && url.includes(secret));
      assert.deepEqual([earlier.body['next'], codeOf(wrong)], ['done', 'wrong_code']);
      assert.equal(body['recovery'].length, 10);
      const { data } = (await panel.ask('me')).body;
      assert.deepEqual([data.has_totp, data.recovery_left], [true, 10]);
      service.advance(60);
      const { browser, step } = await asked(owner);
      assert.equal((await browser.ask('me')).http, 403);
      const { body: entered } = await browser.ask('sign-in/code', { step, code: codeNow(secret) });
      assert.equal(entered['next'], 'done');
      assert.equal((await browser.ask('me')).body['data'].email, owner.email);
    });

    test('the same code at the same moment, after two passwords, signs in once', async () => {
      const { person, secret } = await withApp();
      const both = [await asked(person), await asked(person)];
      const code = codeNow(secret);

      const answers = await Promise.all(
        both.map(({ browser, step }) => browser.ask('sign-in/code', { step, code })),
      );

      assert.deepEqual(answers.map(({ http }) => http).toSorted(), [200, 403]);
    });

    test('a recovery code works once, and the number left is shown', async () => {
      const { person, recovery } = await withApp();
      const both = [await asked(person), await asked(person)];
      const code = recovery[3]!.toUpperCase().replaceAll('-', ' ');

      const answers = await Promise.all(
        both.map(({ browser, step }) => browser.ask('sign-in/code', { step, code })),
      );

      assert.deepEqual(answers.map(({ http }) => http).toSorted(), [200, 403]);
      const inside = both.find(({ browser }) => browser.cookie !== undefined)!.browser;
      assert.equal((await inside.ask('me')).body['data'].recovery_left, 9);
      const renewed = (await inside.ask('me/recovery')).body['recovery'];
      assert.equal(new Set([...renewed, ...recovery]).size, 20);
    });

    test('a sign-in step accepts five codes and no more, even if the sixth is right', async () => {
      const { person, secret } = await withApp();
      const { browser, step } = await asked(person);
      const wrong = codeNow(secret) === '000000' ? '000001' : '000000';

      const tries: (string | undefined)[] = [];
      for (let count = 0; count < 5; count++)
        tries.push(codeOf(await browser.ask('sign-in/code', { step, code: wrong })));
      const sixth = await browser.ask('sign-in/code', { step, code: codeNow(secret) });

      assert.deepEqual(tries, Array(5).fill('not_signed_in'));
      assert.equal(codeOf(sixth), 'not_signed_in');
      assert.equal(browser.cookie, undefined);
    });

    test('repeated guessing of codes is slowed down, and a recovery code still signs in', async () => {
      const { person, secret, recovery } = await withApp();
      const wrong = codeNow(secret) === '000000' ? '000001' : '000000';
      const ends: number[] = [];
      for (let round = 0; round < 3; round++) {
        const { browser, step } = await asked(person);
        for (let count = 0; count < 4; count++)
          ends.push((await browser.ask('sign-in/code', { step, code: wrong })).http);
      }

      const { browser, step } = await asked(person);
      const right = await browser.ask('sign-in/code', { step, code: codeNow(secret) });
      const { body } = await browser.ask('sign-in/code', { step, code: recovery[0]! });

      assert.deepEqual([...new Set(ends)], [403, 429]);
      assert.deepEqual([right.http, codeOf(right)], [429, 'too_many_tries']);
      assert.equal(body['next'], 'done');
    });

    test('a sign-in step that waits for a code expires after five minutes', async () => {
      const { person, recovery } = await withApp();
      const { browser, step } = await asked(person);

      service.advance(301);

      assert.equal((await browser.ask('sign-in/code', { step, code: recovery[0]! })).http, 403);
    });

    test('disabling the app deletes it with its recovery codes, and requires a fresh sign-in', async () => {
      const { person, panel, account } = await withApp();
      service.advance(601);

      const stale = await panel.ask('me/totp/remove');
      const other = await openSignedInPanel(service, account, person);
      const removed = await other.ask('me/totp/remove');

      assert.deepEqual([stale.http, codeOf(stale)], [403, 'confirm_identity']);
      assert.equal(removed.http, 200);
      const { data } = (await other.ask('me')).body;
      assert.deepEqual([data.has_totp, data.recovery_left], [false, 0]);
      const entered = await openPanelClient(service).ask('sign-in/password', {
        email: person.email,
        password,
      });
      assert.equal(entered.body['next'], 'done');
      assert.equal((await other.ask('me/recovery')).http, 403);
    });

    test('codes and secrets are in no entry of the audit log, and wrong codes are recorded', async () => {
      const { account, person, secret, recovery } = await withApp();
      const { browser, step } = await asked(person);
      await browser.ask('sign-in/code', { step, code: '12 34 5' });
      await browser.ask('sign-in/code', { step, code: recovery[0]! });

      const { rows } = await service.server.store.audit.list(account.id, { offset: 0, limit: 100 });

      const codes = rows.filter(({ operation }) => operation === 'panel/sign-in/code');
      assert.deepEqual(codes.map(({ outcome }) => outcome).toSorted(), ['done', 'not_signed_in']);
      const all = JSON.stringify(rows) + service.logged.join('');
      for (const hidden of [secret, step, recovery[0]!, recovery[1]!, '12 34 5'])
        assert.ok(!all.includes(hidden), hidden);
    });
  });
