/**
 * Links and sign-in steps that were forged, kept, cut off or swapped: by link, by code, by the choice of an
 * account.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newAccount } from '@drawbridge/server/compose/create-account';
import { random, digestOf } from '@drawbridge/server/edges/random';
import { codeOfStep, stepAt } from '@drawbridge/server/panel/sign-in/totp';
import { must, type TestPerson, type TestAccount } from '../kit/server/account.ts';
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
const day = 86_400;
const codeOf = ({ body }: PanelResponse): string | undefined => body.error?.code;
const tokenOf = (url: unknown): string => String(url).split('/').at(-1)!;
const isRefused = (answer: PanelResponse): boolean =>
  answer.http === 403 && codeOf(answer) === 'not_signed_in' && answer.headers['set-cookie'] === undefined;

/** A link of one kind, and whom it signs in. */
interface Link {
  token: string;
  email: string;
  accountId: number;
}

/** Every kind of link that signs a person in, with its lifetime in seconds. */
const kinds: Record<string, { holds: number; make(service: TestService): Promise<Link> }> = {
  'of a new account': {
    holds: day,
    async make({ server: { store, config } }) {
      const email = `first-${random.digits(9)}@example.com`;
      const made = newAccount(random, email, config.publicUrl, store.now());
      const { accountId } = await must(store, 'accounts/create', made.input);
      return { token: tokenOf(made.signInUrl), email, accountId };
    },
  },
  'of an invitation': {
    holds: 7 * day,
    async make(service) {
      const account = await service.account();
      const email = `invited-${random.digits(9)}@example.com`;
      const { body } = await account.owner.call('team/member/invite', { email });
      return { token: tokenOf(body['url']), email, accountId: account.id };
    },
  },
  'for a new password': {
    holds: day,
    async make(service) {
      const account = await service.account();
      const { email } = account.owner;
      const panel = await openSignedInPanel(service, account, account.owner);
      const { body } = await panel.ask('member/reset', { email });
      return { token: tokenOf(body['url']), email, accountId: account.id };
    },
  },
};

/** How a token may be altered. */
const bent: Record<string, (token: string) => string> = {
  'cut off by one character': (token) => token.slice(0, -1),
  'cut off in the middle': (token) => token.slice(0, 21),
  'one character longer': (token) => `${token}A`,
  'in upper case': (token) => token.toUpperCase(),
  'with another last character': (token) => token.slice(0, -1) + (token.endsWith('A') ? 'E' : 'A'),
  'with a leading space': (token) => ` ${token}`,
  'as it is stored': (token) => digestOf(token),
  'as a pattern': () => '%',
};

for (const { kind, skip } of databases)
  describe(`forged links and steps, on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => void (service = await startService({ database: kind })));
    after(() => service[Symbol.asyncDispose]());

    const enter = (token: string, browser = openPanelClient(service)): Promise<PanelResponse> =>
      browser.ask('sign-in/link', { token });

    for (const [what, { holds, make }] of Object.entries(kinds)) {
      test(`a link ${what} signs in its own person, once, however many press its button`, async () => {
        const { token, email, accountId } = await make(service);
        const browsers = Array.from({ length: 8 }, () => openPanelClient(service));

        const answers = await Promise.all(browsers.map((each) => enter(token, each)));
        const later = await enter(token);

        assert.equal(answers.filter(({ http }) => http === 200).length, 1);
        assert.ok([later, ...answers.filter(({ http }) => http !== 200)].every(isRefused));
        const inside = browsers.find(({ cookie }) => cookie !== undefined)!;
        const { data } = (await inside.ask('me')).body;
        assert.deepEqual([data.email, data.account_id], [email, accountId]);
      });

      test(`an altered link ${what} is refused, and does not affect the real one`, async () => {
        const { token } = await make(service);

        for (const [how, bend] of Object.entries(bent)) assert.ok(isRefused(await enter(bend(token))), how);

        assert.equal((await enter(token)).http, 200);
      });

      test(`a link ${what} is valid to the second and no longer`, async () => {
        const [one, two] = [await make(service), await make(service)];
        service.advance(holds - 1);
        const intime = await enter(one.token);
        service.advance(1);

        assert.equal(intime.http, 200);
        assert.ok(isRefused(await enter(two.token)));
      });
    }

    test('a link ends with its member, and one for a new password ends all the others of that member', async () => {
      const account = await service.account();
      const email = `gone-${random.digits(9)}@example.com`;
      const { body } = await account.owner.call('team/member/invite', { email });
      await account.owner.call('team/member/remove', { email });
      const panel = await openSignedInPanel(service, account, account.owner);
      const make = async () =>
        tokenOf((await panel.ask('member/reset', { email: account.owner.email })).body['url']);
      const [first, second] = [await make(), await make()];

      const answers = [await enter(tokenOf(body['url'])), await enter(second), await enter(first)];

      assert.deepEqual(
        answers.map(({ http }) => http),
        [403, 200, 403],
      );
      assert.equal(codeOf(await panel.ask('me')), 'signed_out');
    });

    const codeNow = (secret: string): string => codeOfStep(secret, stepAt(service.server.store.now()));

    /** A person with a password and an app; the half minute in which they enabled it is over. */
    async function withApp(account: TestAccount, person: TestPerson) {
      await setPassword(service, account, person, password);
      const panel = await openSignedInPanel(service, account, person);
      const { secret } = (await panel.ask('me/totp/begin')).body;
      const { body } = await panel.ask('me/totp/confirm', { code: codeNow(secret) });
      service.advance(60);
      return { account, person, secret: secret as string, recovery: body['recovery'] as string[] };
    }
    const owner = async () => {
      const account = await service.account();
      return withApp(account, account.owner);
    };
    async function asked({ email }: TestPerson): Promise<{ browser: PanelClient; step: string }> {
      const browser = openPanelClient(service);
      const { body } = await browser.ask('sign-in/password', { email, password });
      assert.equal(body['next'], 'code');
      return { browser, step: body['step'] };
    }

    test('the step of one person accepts no code of another, neither of the app nor a recovery code', async () => {
      const ann = await owner();
      const bob = await withApp(ann.account, await ann.account.member());
      const [hers, his] = [await asked(ann.person), await asked(bob.person)];

      const swapped = [
        await hers.browser.ask('sign-in/code', { step: hers.step, code: codeNow(bob.secret) }),
        await hers.browser.ask('sign-in/code', { step: hers.step, code: bob.recovery[0] }),
      ];
      // Ann's browser with Bob's step acts for Bob, and needs Bob's code.
      const crossed = await hers.browser.ask('sign-in/code', { step: his.step, code: codeNow(ann.secret) });

      assert.ok([...swapped, crossed].every(isRefused));
      const entered = await his.browser.ask('sign-in/code', { step: his.step, code: codeNow(bob.secret) });
      assert.equal(entered.body['next'], 'done');
      assert.equal((await his.browser.ask('me')).body['data'].email, bob.person.email);
      assert.equal((await his.browser.ask('me')).body['data'].recovery_left, 10);
    });

    test('a step is valid for its own kind, complete, once, and not under the name it is stored by', async () => {
      const { account, person, secret } = await owner();
      const { browser, step } = await asked(person);
      const code = codeNow(secret);

      const forged = [
        await browser.ask('sign-in/account', { step, account_id: account.id }),
        await browser.ask('sign-in/passkey', { step, response: { id: 'x' } }),
        await browser.ask('sign-in/code', { step: step.slice(0, -1), code }),
        await browser.ask('sign-in/code', { step: digestOf(step), code }),
        await browser.ask('sign-in/link', { token: step }),
      ];
      const right = await browser.ask('sign-in/code', { step, code });
      service.advance(60);
      const again = await openPanelClient(service).ask('sign-in/code', { step, code: codeNow(secret) });

      assert.ok(forged.every(isRefused));
      assert.deepEqual([right.body['next'], isRefused(again)], ['done', true]);
    });

    test('a step that began with a password ends when the password changes', async () => {
      const { account, person, secret } = await owner();
      const { browser, step } = await asked(person);
      await setPassword(service, account, person, 'another horse 7');

      assert.ok(isRefused(await browser.ask('sign-in/code', { step, code: codeNow(secret) })));
    });

    test('a link that requires a code signs nobody in without it, and the step belongs to the person of the link', async () => {
      const ann = await owner();
      const bob = await owner();
      const panel = await openSignedInPanel(service, ann.account, ann.person);
      const { body } = await panel.ask('member/reset', { email: ann.person.email });
      const browser = openPanelClient(service);

      const { body: begun } = await enter(tokenOf(body['url']), browser);
      const his = await browser.ask('sign-in/code', { step: begun['step'], code: codeNow(bob.secret) });
      const hers = await browser.ask('sign-in/code', { step: begun['step'], code: codeNow(ann.secret) });

      assert.equal(begun['next'], 'code');
      assert.deepEqual([isRefused(his), hers.body['next']], [true, 'done']);
      assert.equal((await browser.ask('me')).body['data'].account_id, ann.account.id);
    });

    test('nobody re-authenticates with the password of someone else', async () => {
      const account = await service.account();
      const other = await account.member();
      await setPassword(service, account, account.owner, password);
      await setPassword(service, account, other, 'another horse 7');
      const panel = await openSignedInPanel(service, account, account.owner);

      const wrong = await panel.ask('me/confirm', { password: 'another horse 7' });

      assert.deepEqual([wrong.http, codeOf(wrong)], [403, 'not_signed_in']);
    });
  });
