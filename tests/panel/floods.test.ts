/**
 * Floods of wrong passwords: what they cost their senders, and that they do not lock out the right person.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { codeOfStep, stepAt } from '@drawbridge/server/panel/sign-in/totp';
import type { TestPerson, TestAccount } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { openTestClient } from '../kit/server/test-client.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { setPassword, openPanelClient, openSignedInPanel, type PanelResponse } from '../kit/server/panel.ts';

const password = 'correct horse 7';
const attacker = '198.51.100.66';

/** The headers of a request that a trusted proxy forwarded. */
const from = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' });

for (const { kind, skip } of databases)
  describe(`a flood of wrong passwords, on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind, env: { DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1' } });
    });
    after(() => service[Symbol.asyncDispose]());

    async function somebody(): Promise<{ account: TestAccount; person: TestPerson }> {
      const account = await service.account();
      await setPassword(service, account, account.owner, password);
      return { account, person: account.owner };
    }
    const signIn = ({ email }: TestPerson, tried: string, address: string): Promise<PanelResponse> =>
      openPanelClient(service).ask('sign-in/password', { email, password: tried }, from(address));
    const wrong = async (person: TestPerson, count: number, address: (at: number) => string) => {
      const codes: number[] = [];
      for (let at = 0; at < count; at++)
        codes.push((await signIn(person, 'wrong horse 7', address(at))).http);
      return codes;
    };

    test('from one address it does not lock the owner out on unknown networks', async () => {
      const { person } = await somebody();

      const codes = await wrong(person, 45, () => attacker);
      const owner: number[] = [];
      for (let at = 0; at < 15; at++) owner.push((await signIn(person, password, `203.0.113.${at}`)).http);

      // Some time passes meanwhile, here and below.
      assert.ok(codes.filter((http) => http === 429).length >= 20, codes.join());
      assert.deepEqual(owner, Array<number>(15).fill(200));
    });

    test('from ten addresses it does not either, and the owner may mistype twice', async () => {
      const { person } = await somebody();
      await wrong(person, 50, (at) => `192.0.2.${at % 10}`);

      const mistyped = await wrong(person, 2, () => '203.0.113.50');
      const { http } = await signIn(person, password, '203.0.113.50');

      assert.deepEqual([...mistyped, http], [403, 403, 200]);
    });

    test('a refusal says when to try again', async () => {
      const { person } = await somebody();
      const answers: PanelResponse[] = [];
      for (let at = 0; at < 30; at++) answers.push(await signIn(person, 'wrong horse 7', '192.0.2.200'));

      const refused = answers.filter(({ http }) => http === 429);

      assert.ok(refused.length >= 10);
      for (const { headers } of refused) assert.equal(headers['retry-after'], '60');
    });

    test('queued passwords of others delay the owner by a few checks, however many they are', async () => {
      const { person } = await somebody();
      const busy = await service.account();
      const { id } = await busy.agent();
      const own = { ...service, testClient: openTestClient(service.server) };
      await openPanelClient(own).ask('sign-in/options');
      let answered = 0;
      const first = Promise.withResolvers<void>();
      const flood = Array.from({ length: 60 }, async () => {
        const { http } = await busy.owner.call('agents/update', { id, permanent_url: { password } });
        if (http === 200) answered += 1;
        first.resolve();
      });
      await first.promise;

      const previous = answered;
      const { http } = await openPanelClient(own).ask('sign-in/password', { email: person.email, password });
      const meanwhile = answered - previous;
      await Promise.all(flood);
      own.testClient.close();

      assert.equal(http, 200);
      assert.ok(meanwhile < 15, `${meanwhile} of the others came first`);
    });

    test('all networks within an IPv6 /48 share one queue, for sign-in and for links', async () => {
      const others = Array.from({ length: 100 }, (_, at) => `2001:db8:5:${at.toString(16)}::1`);
      const tried = 'wrong horse 7';
      const atSignIn = (address: string, at: number) =>
        openPanelClient(service).ask(
          'sign-in/password',
          { email: `${at}@example.com`, password: tried },
          from(address),
        );
      const atLinks = (address: string, at: number) =>
        service.testClient.send({
          method: 'POST',
          path: `/p/nobody-${at}`,
          body: `password=${tried}`,
          headers: { ...from(address), 'content-type': 'application/x-www-form-urlencoded' },
        });

      type Guess = (address: string, at: number) => Promise<Pick<PanelResponse, 'http' | 'headers'>>;
      for (const guess of [atSignIn, atLinks] as Guess[]) {
        const answers = await Promise.all(others.map(guess));
        const refused = answers.filter(({ http }) => http === 429);
        // 34 of them run or wait, and as many more as were done before the last came.
        assert.ok(refused.length > 0 && refused.length <= 66, `${guess.name}: ${refused.length} refused`);
        for (const { headers } of refused) assert.equal(headers['retry-after'], '5');
      }
    });

    test('at sign-in it does not affect re-authentication, nor the other way round', async () => {
      const { account, person } = await somebody();
      const browser = await openSignedInPanel(service, account, person);
      const place = '203.0.113.60';
      await wrong(person, 30, () => place);

      const confirmed = await browser.ask('me/confirm', { password }, from(place));
      const guesses: number[] = [];
      for (let at = 0; at < 15; at++)
        guesses.push((await browser.ask('me/confirm', { password: 'wrong horse 7' }, from(attacker))).http);
      const other = await openSignedInPanel(service, account, person);
      const elsewhere = await other.ask('me/confirm', { password }, from(attacker));
      const entered = await signIn(person, password, attacker);

      assert.equal(confirmed.http, 200);
      assert.deepEqual([...new Set(guesses)], [403, 429], guesses.join());
      assert.deepEqual([elsewhere.http, entered.http], [200, 200]);
    });

    test('of codes by someone who has the password does not keep the owner from entering the right one', async () => {
      const { account, person } = await somebody();
      const panel = await openSignedInPanel(service, account, person);
      const { secret } = (await panel.ask('me/totp/begin')).body;
      const code = (): string => codeOfStep(secret, stepAt(service.server.store.now()));
      await panel.ask('me/totp/confirm', { code: code() });
      service.advance(60);
      const enter = async (typed: string, address: string): Promise<number> => {
        const { body } = await signIn(person, password, address);
        return (
          await openPanelClient(service).ask(
            'sign-in/code',
            { step: body['step'], code: typed },
            from(address),
          )
        ).http;
      };
      const wrongCode = code() === '000000' ? '000001' : '000000';

      const codes: number[] = [];
      for (let at = 0; at < 20; at++) codes.push(await enter(wrongCode, attacker));
      const owner = await enter(code(), '203.0.113.80');

      assert.deepEqual([...new Set(codes)], [403, 429], codes.join());
      assert.equal(owner, 200);
    });

    test('the network of a sign-in stays known when the server restarts', async () => {
      const { person } = await somebody();
      const home = '203.0.113.70';
      assert.equal((await signIn(person, password, home)).http, 200);

      await service.restart();
      // The allowance of unknown networks is used up: a network that is not known has three attempts left.
      const codes = await wrong(person, 60, (at) => `192.0.2.${100 + (at % 3)}`);
      const mistyped = await wrong(person, 8, () => home);
      const owner = await signIn(person, password, home);

      assert.ok(codes.filter((http) => http === 429).length >= 20, codes.join());
      assert.deepEqual([mistyped, owner.http], [Array<number>(8).fill(403), 200]);
    });
  });
