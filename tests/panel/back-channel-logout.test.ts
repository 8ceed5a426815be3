/** Back-channel logout with a real identity provider, and with one that forges its logout tokens. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ssoLogoutPath } from '@drawbridge/contract/panel/sso';
import { random } from '@drawbridge/server/edges/random';
import { newRecoveryCodes, recoveryDigest } from '@drawbridge/server/panel/sign-in/recovery-codes';
import { eventually } from '../kit/eventually.ts';
import { must, type TestAccount } from '../kit/server/account.ts';
import { openEventReader } from '../kit/server/event-reader.ts';
import { openPanelClient, type PanelClient } from '../kit/server/panel.ts';
import { runSql } from '../kit/server/raw-sql.ts';
import { attendedDevice, joinRelay, openSessionLink } from '../kit/session/session-ends.ts';
import { signOutAtProvider } from '../kit/sso/provider-browser.ts';
import { startStopwatch } from '../kit/stopwatch.ts';
import { openSso, type SsoFixture } from '../kit/sso/sso-fixture.ts';

const event = 'http://schemas.openid.net/event/backchannel-logout';
const limitMs = 5_000;

describe('back-channel logout', () => {
  let sso: SsoFixture;
  let account: TestAccount;
  let subject: string;
  before(async () => void (sso = await openSso()));
  after(() => sso[Symbol.asyncDispose]());
  beforeEach(async () => {
    account = await sso.service.account();
    subject = random.token();
    Object.assign(sso.forging, { claims: {}, document: {}, usesForeignKey: false, floods: 0 });
    sso.oidc.people.clear();
    sso.oidc.people.set(subject, { email: `${subject.toLowerCase()}@example.com` });
  });

  const logoutUri = (name: string): string => `${sso.service.server.config.publicUrl}${ssoLogoutPath(name)}`;
  const isIn = async (browser: PanelClient): Promise<boolean> => (await browser.ask('me')).http === 200;
  /** A logout also stops what begins in the same second. */
  const nextSecond = (since = sso.service.server.store.now()) =>
    eventually(
      async () => sso.service.server.store.now(),
      (now) => now > since,
    );
  const lines = () => sso.outcomes(account, 'sso/logout');

  const post = (name: string, body: string, type = 'application/x-www-form-urlencoded') =>
    sso.service.testClient.send({
      method: 'POST',
      path: ssoLogoutPath(name),
      headers: { 'content-type': type },
      body,
    });

  const claimsOf = (changed: Record<string, unknown> = {}) =>
    sso.forging.logoutClaims(sso.oidc.clientId, { sub: subject, ...changed });

  /** A person who signed in with the forging provider. */
  async function forgedSignIn(sid?: string) {
    sso.forging.claims = { sub: subject, email: `${subject.toLowerCase()}@example.com`, sid };
    const provider = await sso.add(account, sso.forging);
    const { browser } = await sso.forge(provider);
    assert.equal(await isIn(browser), true);
    const send = async (claims: object, header?: object) =>
      (await post(provider.signInName, `logout_token=${sso.forging.token(claims, header)}`)).http;
    return { provider, browser, send };
  }

  test('signing out at the provider ends the panel session, links and connections of that sign-in, and no others', async () => {
    const it = await attendedDevice(sso.service);
    await using device = it.device;
    account = it.account;
    const provider = await sso.add(account, sso.oidc);
    await sso.oidc.sendLogoutsTo(logoutUri(provider.signInName));
    const cookies = new Map<string, string>();
    const { browser: left } = await sso.signIn(provider, subject, cookies);
    const { browser: kept } = await sso.signIn(provider, subject);
    const { email } = (await left.ask('me')).body['data'];
    const grant = { email, role_id: it.roleId, agent_id: device.id };
    await sso.call(account, 'team/member/access/add', grant);
    const link = async (browser: PanelClient): Promise<string> =>
      (await browser.v1('agents/connect', { agent_id: device.id })).body['data'].url;
    const join = async (browser: PanelClient) => {
      const operator = joinRelay(await openSessionLink(sso.service, await link(browser)));
      await operator.paired;
      return operator;
    };
    await using ended = await join(left);
    await using other = await join(kept);
    const unused = await link(left);
    // The session of the panel is over before the provider says so; its connections are not.
    const { url } = (await left.ask('sign-out')).body;
    using started = startStopwatch();

    await signOutAtProvider(url, sso.oidc.ca, cookies);
    const { code } = await ended.closed;

    assert.ok(started.ms() <= limitMs, `${started.ms()} ms`);
    assert.equal(code, 4_005);
    await assert.rejects(openSessionLink(sso.service, unused), /"used"/);
    assert.equal(await isIn(kept), true);
    await openSessionLink(sso.service, await link(kept));
    assert.equal(other.socket.readyState, other.socket.OPEN);
    assert.deepEqual(
      (await lines()).map(({ outcome }) => outcome),
      ['done'],
    );
  });

  test('a person whom the provider signs out everywhere is out of all browsers', async () => {
    const provider = await sso.add(account, sso.oidc);
    await sso.oidc.sendLogoutsTo(logoutUri(provider.signInName), false);
    const colleague = random.token();
    sso.oidc.people.set(colleague, { email: `${colleague.toLowerCase()}@example.com` });
    const [one, two, theirs] = [
      (await sso.signIn(provider, subject)).browser,
      (await sso.signIn(provider, subject)).browser,
      (await sso.signIn(provider, colleague)).browser,
    ];

    await sso.oidc.signOutEverywhere(subject);

    assert.deepEqual([await isIn(one), await isIn(two), await isIn(theirs)], [false, false, true]);
    assert.deepEqual(await lines(), [{ email: `${subject.toLowerCase()}@example.com`, outcome: 'done' }]);
    await nextSecond();
    assert.equal(await isIn((await sso.signIn(provider, subject)).browser), true);
  });

  test('tokens with a wrong issuer, audience, time, event, type, key or purpose are refused and logged', async () => {
    const { browser, send } = await forgedSignIn('s1');
    const now = Math.floor(Date.now() / 1_000);
    const forged: Record<string, unknown>[] = [
      { iss: sso.oidc.issuer },
      { aud: 'another client' },
      { iat: now - 400 },
      { iat: now + 400, exp: now + 500 },
      { iat: undefined },
      { exp: now - 60 },
      { exp: undefined },
      { jti: undefined },
      { jti: '' },
      { events: undefined },
      { events: { [event]: 'yes' } },
      { events: { other: {} } },
      { nonce: 'n' },
      { sub: undefined, sid: undefined },
      { sid: 7 },
    ];

    for (const changed of forged) assert.equal(await send(claimsOf(changed)), 400, JSON.stringify(changed));
    assert.equal(await send(claimsOf(), { typ: 'at+jwt' }), 400);
    assert.equal(await send(claimsOf(), { alg: 'none' }), 400);
    assert.equal(await send(claimsOf(), { alg: 'HS256' }), 400);
    sso.forging.usesForeignKey = true;
    assert.equal(await send(claimsOf()), 400);
    sso.forging.usesForeignKey = false;

    assert.equal(await isIn(browser), true);
    const refused = await lines();
    assert.equal(refused.length, forged.length + 4);
    assert.ok(refused.every(({ outcome }) => outcome === 'sso_logout_invalid'));
    assert.equal(await send(claimsOf(), { typ: 'logout+jwt' }), 200);
    assert.equal(await isIn(browser), false);
  });

  test('a token counts once, and a name of the sign-in ends only that one', async () => {
    const { provider, browser, send } = await forgedSignIn('s1');
    const token = claimsOf({ sid: 's2' });

    assert.deepEqual([await send(token), await isIn(browser)], [200, true]);
    sso.forging.claims = { ...sso.forging.claims, sid: 's3' };
    const { browser: later } = await sso.forge(provider);
    assert.equal(await send({ ...token, sid: 's3' }), 400);
    assert.equal(await isIn(later), true);
    assert.equal(await send(claimsOf({ sid: 's1', sub: undefined })), 200);
    assert.deepEqual([await isIn(browser), await isIn(later)], [false, true]);
    sso.forging.claims = { ...sso.forging.claims, sid: 's1' };
    assert.equal((await sso.forge(provider)).answer.body.error?.code, 'sso_logged_out');
    assert.deepEqual(
      (await lines()).map(({ outcome }) => outcome),
      ['done', 'sso_logout_used', 'done'],
    );
  });

  test('a sign-in without a name ends with any of the same person', async () => {
    const { browser, send } = await forgedSignIn();
    assert.deepEqual([await send(claimsOf({ sid: 'x', sub: 'nobody' })), await isIn(browser)], [200, true]);
    assert.deepEqual([await send(claimsOf({ sid: 'x' })), await isIn(browser)], [200, false]);
  });

  test('a logout of the person stops a sign-in that waits for a code, or whose browser is still at the provider', async () => {
    const { provider, browser, send } = await forgedSignIn('first');
    const { id: memberId } = (await browser.ask('me')).body['data'];
    const { store } = sso.service.server;
    const codes = newRecoveryCodes(random.bytes);
    const factor = { accountId: account.id, memberId, secret: 'secret' };
    const recovery = codes.map((code) => recoveryDigest(memberId, code)!);
    await must(store, 'factors/totp/begin', factor);
    await must(store, 'factors/totp/confirm', { ...factor, step: 1, recovery });
    const nameSignIn = (sid: string) => (sso.forging.claims = { ...sso.forging.claims, sid });
    nameSignIn('second');
    const atCode = await sso.forge(provider);
    const away = await sso.begin(provider);

    assert.equal(await send(claimsOf()), 200);

    const step = atCode.answer.body['step'];
    const late = await atCode.browser.ask('sign-in/code', { step, code: codes[0] });
    assert.deepEqual([late.http, atCode.browser.cookie], [403, undefined]);
    nameSignIn('third');
    const returned = await away.browser.ask('sign-in/sso', { ...sso.forging.answer(away.url) });
    assert.deepEqual([returned.http, returned.body.error?.code], [403, 'sso_logged_out']);
    await nextSecond();
    const again = await sso.forge(provider);
    const entered = { step: again.answer.body['step'], code: codes[1] };
    assert.equal((await again.browser.ask('sign-in/code', entered)).body['next'], 'done');
  });

  test('a provider whose secret cannot be opened still ends sign-ins, and says why it begins none', async () => {
    const { provider, browser, send } = await forgedSignIn('kept');
    const away = await sso.begin(provider);
    const lost = ['v1', 'lostlost', 'n'.repeat(16), 'c'.repeat(40)].join('.');
    await runSql(sso.service, `update provider set client_secret = '${lost}' where id = ${provider.id}`);
    const begun = await openPanelClient(sso.service).ask('sign-in/sso/begin', { name: provider.signInName });
    const returned = await away.browser.ask('sign-in/sso', { ...sso.forging.answer(away.url) });

    for (const { body } of [begun, returned])
      assert.deepEqual(
        [body.error?.code, body.error?.message],
        [
          'sso_trouble',
          'The identity provider of your organisation cannot be used now (secret_unreadable). Try again later, or ask the people who look after it.',
        ],
      );
    assert.equal(await isIn(browser), true);
    assert.equal(await send(claimsOf({ sid: 'kept' })), 200);
    assert.equal(await isIn(browser), false);
  });

  test('an open panel learns at once that it is signed out', async () => {
    const { browser, send } = await forgedSignIn('live');
    await using events = await openEventReader(sso.service.testClient, browser);
    using started = startStopwatch();

    await send(claimsOf({ sid: 'live' }));
    await events.over();

    assert.equal(events.received.at(-1)?.name, 'end');
    assert.ok(started.ms() <= limitMs, `${started.ms()} ms`);
  });

  test('other requests are refused without a trace, and failures are limited', async () => {
    const { provider, send } = await forgedSignIn();
    const token = `logout_token=${sso.forging.token(claimsOf())}`;
    const http = async (...given: Parameters<typeof post>) => (await post(...given)).http;

    assert.equal(await http('abcde-fghjk', token), 400);
    assert.equal(await http(provider.signInName, token, 'application/json'), 400);
    assert.equal(await http(provider.signInName, `${token}&${token}`), 400);
    assert.equal(await http(provider.signInName, `logout_token=${'a'.repeat(20_000)}`), 400);
    assert.equal(await http(provider.signInName, `logout_token=${'a'.repeat(80_000)}`), 400);
    assert.deepEqual(await lines(), []);
    const { headers } = await post(provider.signInName, 'logout_token=a');
    assert.equal(headers['cache-control'], 'no-store');
    await eventually(
      () => Promise.all(Array.from({ length: 20 }, () => send({}))),
      (answers) => answers.includes(429),
    );
  });
});
