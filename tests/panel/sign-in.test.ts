/** Signing in at the panel: by link, by password, once each, and what others learn of it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newAccount } from '@drawbridge/server/compose/create-account';
import { random } from '@drawbridge/server/edges/random';
import { must, type TestPerson, type TestAccount } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { eventually } from '../kit/eventually.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { setPassword, openPanelClient, openSignedInPanel, type PanelResponse } from '../kit/server/panel.ts';

const password = 'correct horse 7';

const codeOf = ({ body }: PanelResponse): string | undefined => body.error?.code;
const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

for (const { kind, skip } of databases)
  describe(`signing in, on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => void (service = await startService({ database: kind })));
    after(() => service[Symbol.asyncDispose]());

    /** A person with a password, in a separate account. */
    async function somebody(email?: string): Promise<{ account: TestAccount; person: TestPerson }> {
      const account = await service.account(email);
      await setPassword(service, account, account.owner, password);
      return { account, person: account.owner };
    }

    const linesOf = async ({ id }: TestAccount, operation: string) => {
      const { rows } = await service.server.store.audit.list(id, { operation, offset: 0, limit: 100 });
      return rows.map(({ email, outcome, input }) => ({ email, outcome, input }));
    };

    test('the link of the first start signs in once, also when two use it at the same moment', async () => {
      const { store, config } = service.server;
      const made = newAccount(random, `${random.digits(9)}@example.com`, config.publicUrl, store.now());
      await must(store, 'accounts/create', made.input);
      const token = tokenOf(made.signInUrl);
      const browsers = [openPanelClient(service), openPanelClient(service)];

      const answers = await Promise.all(browsers.map((each) => each.ask('sign-in/link', { token })));
      const again = await openPanelClient(service).ask('sign-in/link', { token });

      assert.deepEqual(answers.map(({ http }) => http).toSorted(), [200, 403]);
      const winner = browsers.find(({ cookie }) => cookie !== undefined)!;
      assert.equal((await winner.ask('me')).body['data'].email, made.input.email);
      assert.deepEqual([again.http, codeOf(again)], [403, 'not_signed_in']);
    });

    test('viewing a link does not use it up', async () => {
      const { store, config } = service.server;
      const made = newAccount(random, `${random.digits(9)}@example.com`, config.publicUrl, store.now());
      await must(store, 'accounts/create', made.input);
      const token = tokenOf(made.signInUrl);

      for (const path of [`/sign-in/${token}`, `/invite/${token}`])
        for (const method of ['GET', 'HEAD']) await service.testClient.send({ method, path });
      const { http, body } = await openPanelClient(service).ask('sign-in/link', { token });

      assert.deepEqual([http, body['next']], [200, 'done']);
    });

    test('an invited technician signs in with the link, chooses a password and signs in with it again', async () => {
      const { owner } = await service.account();
      const email = `tech-${random.digits(9)}@example.com`;
      const { body } = await owner.call('team/member/invite', { email });
      const browser = openPanelClient(service);

      await browser.ask('sign-in/link', { token: tokenOf(body['url']) });
      const chosen = await browser.ask('me/password', { password });
      const later = openPanelClient(service);
      const back = await later.ask('sign-in/password', { email: email.toUpperCase(), password });

      assert.deepEqual([chosen.http, back.http, back.body['next']], [200, 200, 'done']);
      const { body: me } = await later.ask('me');
      assert.deepEqual([me['data'].email, me['data'].owner, me['data'].team], [email, false, []]);
    });

    test('an expired link signs nobody in', async () => {
      const { store, config } = service.server;
      const made = newAccount(random, `${random.digits(9)}@example.com`, config.publicUrl, store.now());
      const expired = { ...made.input, signIn: { ...made.input.signIn, expireTime: store.now() } };
      await must(store, 'accounts/create', expired);

      const { http } = await openPanelClient(service).ask('sign-in/link', { token: tokenOf(made.signInUrl) });

      assert.equal(http, 403);
    });

    test('a wrong password, an address without one and an unknown address get the same response', async () => {
      const { person } = await somebody();
      const { owner: without } = await service.account();
      const asked = [
        { email: person.email, password: 'wrong horse 7' },
        { email: without.email, password },
        { email: `nobody-${random.digits(9)}@example.com`, password },
      ];

      const answers = await Promise.all(
        asked.map((each) => openPanelClient(service).ask('sign-in/password', each)),
      );

      for (const { http, body, headers } of answers)
        assert.deepEqual([http, body, headers['set-cookie']], [403, answers[0]?.body, undefined]);
      assert.equal(codeOf(answers[0]!), 'not_signed_in');
    });

    test('a person with the same address and password in two accounts chooses one, once', async () => {
      const first = await somebody();
      const second = await service.account();
      const { body } = await second.owner.call('team/member/invite', { email: first.person.email });
      const invited = openPanelClient(service);
      await invited.ask('sign-in/link', { token: tokenOf(body['url']) });
      await invited.ask('me/password', { password });
      const browser = openPanelClient(service);

      const begun = await browser.ask('sign-in/password', { email: first.person.email, password });
      const step = begun.body['step'] as string;
      const wrong = await openPanelClient(service).ask('sign-in/account', {
        step: 'x',
        account_id: second.id,
      });
      const chosen = await browser.ask('sign-in/account', { step, account_id: second.id });
      const again = await openPanelClient(service).ask('sign-in/account', { step, account_id: second.id });

      assert.equal(begun.body['next'], 'account');
      assert.deepEqual(begun.body['accounts'], [
        { account_id: first.account.id, owner: first.account.owner.email },
        { account_id: second.id, owner: second.owner.email },
      ]);
      assert.deepEqual([wrong.http, chosen.body['next'], again.http], [403, 'done', 403]);
      const { body: me } = await browser.ask('me');
      assert.deepEqual([me['data'].account_id, me['data'].owner], [second.id, false]);
    });

    test('a step chooses only among the accounts that the password opened', async () => {
      const first = await somebody();
      const second = await service.account();
      const { body } = await second.owner.call('team/member/invite', { email: first.person.email });
      const invited = openPanelClient(service);
      await invited.ask('sign-in/link', { token: tokenOf(body['url']) });
      await invited.ask('me/password', { password });
      const outsider = await service.account();

      const { body: begun } = await openPanelClient(service).ask('sign-in/password', {
        email: first.person.email,
        password,
      });
      const { http } = await openPanelClient(service).ask('sign-in/account', {
        step: begun['step'],
        account_id: outsider.id,
      });

      assert.equal(http, 403);
    });

    test('the cookie is for this host alone, for no script and for no other site', async () => {
      const { person } = await somebody();

      const { headers } = await openPanelClient(service).ask('sign-in/password', {
        email: person.email,
        password,
      });

      const [cookie = ''] = [headers['set-cookie'] ?? []].flat();
      assert.match(
        cookie,
        /^__Host-drawbridge=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      );
      assert.equal(headers['cache-control'], 'no-store');
    });

    test("signing in replaces the browser's cookie, and the old one ends", async () => {
      const { account, person } = await somebody();
      const previous = await openSignedInPanel(service, account, person);
      const old = { ...previous };
      const planted = openPanelClient(service);
      planted.cookie = random.token();
      const fixed = planted.cookie;

      await previous.ask('sign-in/password', { email: person.email, password });
      await planted.ask('sign-in/password', { email: person.email, password });

      assert.notEqual(previous.cookie, old.cookie);
      assert.notEqual(planted.cookie, fixed);
      const reused = openPanelClient(service);
      reused.cookie = old.cookie;
      assert.equal(codeOf(await reused.ask('me')), 'signed_out');
    });

    test('the session that a browser had in another account ends too, by password and by link', async () => {
      const [one, other] = [await somebody(), await somebody()];
      const technician = `tech-${random.digits(9)}@example.com`;
      const { body } = await one.account.owner.call('team/member/invite', { email: technician });
      const requests = [
        ['sign-in/password', { email: one.person.email, password }],
        ['sign-in/link', { token: tokenOf(body['url']) }],
      ] as const;

      for (const [id, params] of requests) {
        const browser = await openSignedInPanel(service, other.account, other.person);
        const copy = Object.assign(openPanelClient(service), { cookie: browser.cookie, csrf: browser.csrf });
        assert.equal((await browser.ask(id, params)).body['next'], 'done');
        assert.equal(codeOf(await copy.ask('me')), 'signed_out', id);
        assert.equal((await browser.ask('me')).body['data'].account_id, one.account.id);
      }
    });

    test('sign-ins and wrong passwords are in the audit log of the account, without the password', async () => {
      const { account, person } = await somebody();
      const { email } = person;

      await openPanelClient(service).ask('sign-in/password', { email, password: 'wrong horse 7' });
      await openPanelClient(service).ask('sign-in/password', { email, password });

      const lines = await eventually(
        () => linesOf(account, 'panel/sign-in/password'),
        ({ length }) => length === 2,
      );
      const input = JSON.stringify({ email });
      assert.deepEqual(
        lines.toSorted((a, b) => a.outcome.localeCompare(b.outcome)),
        [
          { email, outcome: 'done', input },
          { email, outcome: 'not_signed_in', input },
        ],
      );
    });

    test('a weak password is refused', async () => {
      const account = await service.account();
      const browser = await openSignedInPanel(service, account, account.owner);

      const answers = await Promise.all(
        ['short 1', 'only letters', '1234567890'].map((weak) =>
          browser.ask('me/password', { password: weak }),
        ),
      );

      for (const { http, body } of answers)
        assert.deepEqual([http, body.status, body.error?.code], [400, 21, 'invalid_password']);
    });
  });
