/**
 * Access to the panel's API: only pages of this server, only by cookie; and access of programs, only by key.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { csrfHeader, panel, panelPrefix, type PanelId } from '@drawbridge/contract/panel/index';
import type { PanelRow } from '@drawbridge/contract/panel/row';
import { v1, type OperationId } from '@drawbridge/contract/v1/index';
import { random } from '@drawbridge/server/edges/random';
import { createSignInLimits } from '@drawbridge/server/panel/sign-in/sign-in-limits';
import { networkOf, wideNetworkOf } from '@drawbridge/server/domain/networks';
import type { TestAccount } from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import {
  setPassword,
  openPanelClient,
  openSignedInPanel,
  type PanelResponse,
  type PanelClient,
} from '../kit/server/panel.ts';

const codeOf = ({ body }: PanelResponse): string | undefined => body.error?.code;
const rows: [PanelId, PanelRow][] = Object.entries(panel) as never;

describe('access to the panel', () => {
  let service: TestService;
  let account: TestAccount;
  let browser: PanelClient;
  before(async () => {
    service = await startService();
    account = await service.account();
    browser = await openSignedInPanel(service, account, account.owner);
  });
  after(() => service[Symbol.asyncDispose]());

  const groups = async (): Promise<number> =>
    (await service.server.store.groups.list(account.id, 'all')).length;

  test('a change is accepted only from a page of this server, with the token that page received', async () => {
    const { origin, hostname, port } = new URL(service.server.config.publicUrl);
    const origins: Record<string, boolean> = {
      [origin]: true,
      '': false,
      null: false,
      'https://evil.example': false,
      [`http://${hostname}:${port}`]: false,
      [`https://${hostname}`]: false,
      [`https://sub.${hostname}:${port}`]: false,
      [`https://${hostname}.:${port}`]: false,
      [`https://user@${hostname}:${port}`]: false,
      [`${origin}/`]: false,
      [origin.toUpperCase()]: false,
    };
    const sites = { 'same-origin': true, '': true, 'same-site': false, 'cross-site': false, none: false };
    const marks = { [browser.csrf!]: true, '': false, wrong: false, [random.token().slice(0, 22)]: false };
    const previous = await groups();
    let [allowed, refused] = [0, 0];

    for (const [from, isOurs] of Object.entries(origins))
      for (const [site, isSame] of Object.entries(sites))
        for (const [mark, isRight] of Object.entries(marks)) {
          const headers = { origin: from, 'sec-fetch-site': site, [csrfHeader]: mark };
          const answer = await browser.v1('groups/create', { name: 'x' }, headers);
          const expected = isOurs && isSame && isRight ? [200, undefined] : [403, 'cross_site'];
          assert.deepEqual([answer.http, codeOf(answer)], expected, JSON.stringify(headers));
          if (answer.http === 200) allowed += 1;
          else refused += 1;
        }

    assert.deepEqual([allowed, refused], [2, 218]);
    assert.equal(await groups(), previous + 2);
  });

  test('a read is refused to foreign pages too', async () => {
    const sites = { 'same-origin': 200, '': 200, 'same-site': 403, 'cross-site': 403, none: 403 };

    for (const [site, http] of Object.entries(sites)) {
      assert.equal((await browser.ask('me', {}, { 'sec-fetch-site': site })).http, http, site);
      assert.equal((await browser.v1('agents/list', {}, { 'sec-fetch-site': site })).http, http, site);
    }
  });

  test('a page of another site cannot sign a browser in', async () => {
    const password = 'correct horse 7';
    const other = await service.account();
    await setPassword(service, other, other.owner, password);
    const params = { email: other.owner.email, password };

    for (const headers of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': '' },
      { origin: '', 'sec-fetch-site': '' },
    ] as Record<string, string>[]) {
      const answer = await openPanelClient(service).ask('sign-in/password', params, headers);
      assert.deepEqual([codeOf(answer), answer.headers['set-cookie']], ['cross_site', undefined]);
    }
  });

  test('the token of one session is worthless in another', async () => {
    const other = await openSignedInPanel(service, account, account.owner);
    const markOf = async (each: PanelClient) => (await each.ask('me')).body['data'].csrf as string;
    const [mine, theirs] = [await markOf(browser), await markOf(other)];

    const stolen = await other.v1('groups/create', { name: 'x' }, { [csrfHeader]: mine });
    const own = await other.v1('groups/create', { name: 'x' }, { [csrfHeader]: theirs });

    assert.deepEqual([codeOf(stolen), own.http], ['cross_site', 200]);
  });

  test('every row says who may call it, and nobody else gets a response', async () => {
    const colleague = await openSignedInPanel(service, account, await account.member());
    const wrong: unknown[] = [];

    for (const [id, { who }] of rows) {
      const unknown = codeOf(await openPanelClient(service).ask(id));
      if ((who === 'anyone') !== (unknown !== 'signed_out')) wrong.push([id, who, unknown]);
      const isOperators = who === 'operator' || who === 'fresh_operator';
      if (isOperators && codeOf(await colleague.ask(id)) !== 'forbidden') wrong.push([id, who]);
    }

    assert.deepEqual(wrong, []);
  });

  test('only signing in is possible before signing in', () => {
    const open = rows.filter(([, { who }]) => who === 'anyone').map(([id]) => id);

    assert.deepEqual(
      open.filter((id) => !id.startsWith('sign-in/')),
      [],
    );
  });

  test('every operation of the API is refused to anyone who is not signed in', async () => {
    const outsider = openPanelClient(service);
    const wrong: unknown[] = [];

    for (const id of Object.keys(v1) as OperationId[]) {
      const { http, body } = await outsider.v1(id);
      if (http !== 403 || (body.error && body.error.code !== 'signed_out')) wrong.push([id, http, body]);
    }

    assert.deepEqual(wrong, []);
  });

  test('a key is not accepted under the panel, and a cookie not under the API', async () => {
    const { apiKey } = account.owner;
    const cookie = `__Host-drawbridge=${browser.cookie}`;

    const byKey = await openPanelClient(service).v1('agents/list', {}, { 'x-api-key': apiKey });
    const byQuery = await openPanelClient(service).v1('agents/list', { apikey: apiKey });
    const byCookie = await service.testClient.send({ path: '/v1/agents/list', headers: { cookie } });
    const both = await browser.v1('agents/list', {}, { 'x-api-key': 'of nobody' });

    assert.deepEqual([codeOf(byKey), codeOf(byQuery)], ['signed_out', 'signed_out']);
    assert.deepEqual(
      [byCookie.http, (JSON.parse(byCookie.text) as PanelResponse['body']).error?.code],
      [403, 'invalid_api_key'],
    );
    assert.equal(both.http, 200);
  });

  test('a duplicate or malformed cookie is not accepted', async () => {
    const own = `__Host-drawbridge=${browser.cookie}`;

    for (const cookie of [
      `${own}; ${own}`,
      `${own}; __Host-drawbridge=x`,
      `drawbridge=${browser.cookie}`,
      `x__Host-drawbridge=${browser.cookie}`,
      `${own}x`,
      '__Host-drawbridge=',
    ])
      assert.equal(codeOf(await openPanelClient(service).ask('me', {}, { cookie })), 'signed_out', cookie);
    assert.equal((await openPanelClient(service).ask('me', {}, { cookie: `a=b; ${own}; c=d` })).http, 200);
  });

  test('pages of other origins receive nothing, also where the API answers them', async () => {
    const origin = 'https://app.example';
    await using open = await startService({ env: { DRAWBRIDGE_CORS_ORIGINS: origin } });
    const path = `${panelPrefix}me`;

    const preflight = await open.testClient.send({ method: 'OPTIONS', path, headers: { origin } });
    const read = await open.testClient.send({ path, headers: { origin } });

    assert.equal(preflight.http, 404);
    for (const { headers } of [preflight, read])
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith('access-control-')),
        [],
      );
  });

  test('an unknown operation is reported in JSON, with every method', async () => {
    const paths = ['nothing', 'v1/nothing', 'sign-out', ''].map((rest) => panelPrefix + rest);

    for (const path of [...paths, '/panel/api'])
      for (const method of path.endsWith('sign-out') ? ['GET', 'PUT', 'DELETE'] : ['GET', 'POST', 'PUT']) {
        const { http, text } = await service.testClient.send({ method, path });
        assert.deepEqual(
          [http, (JSON.parse(text) as PanelResponse['body']).error?.code],
          [404, 'unknown_url'],
          `${method} ${path}`,
        );
      }
  });

  test('requests of the panel do not count against the plan', async () => {
    const limited = await service.account();
    await service.server.store.change('plan/set', { accountId: limited.id, plan: { requests: 1 } });
    const theirs = await openSignedInPanel(service, limited, limited.owner);

    const byPanel = await Promise.all([1, 2, 3].map(() => theirs.v1('agents/list')));
    const byKey = [await limited.owner.call('agents/list'), await limited.owner.call('agents/list')];

    assert.deepEqual(
      byPanel.map(({ http }) => http),
      [200, 200, 200],
    );
    assert.deepEqual(
      byKey.map(({ http }) => http),
      [200, 402],
    );
    assert.equal(byPanel[0]?.headers['ratelimit'], undefined);
  });

  test('a key that is created at the panel has exactly the requested limits', async () => {
    const { body } = await browser.v1('keys/create', { name: 'script' });

    const { body: used } = await service.testClient.sdkClient(body['api_key']).request('keys/list', {});

    const made = (used['data'] as { id: number; expires?: number; networks: string[] }[]).find(
      ({ id }) => id === body['id'],
    );
    assert.deepEqual([made?.expires, made?.networks], [undefined, []]);
  });

  test('no secret of signing in is in the log', async () => {
    const password = 'correct horse 7';
    const email = account.owner.email;
    await openPanelClient(service).ask('sign-in/password', { email, password });
    await openPanelClient(service).ask('sign-in/link', { token: browser.cookie! });
    await service.testClient.send({ path: `/sign-in/${browser.cookie}` });

    const log = service.logged.join('');

    assert.ok(!log.includes(password) && !log.includes(browser.cookie!) && !log.includes(browser.csrf!));
  });
});

describe('guessing passwords', () => {
  test('after many wrong guesses the next is refused, but a right one costs nothing', async () => {
    await using service = await startService();
    const account = await service.account();
    const [email, password] = [account.owner.email, 'correct horse 7'];
    await setPassword(service, account, account.owner, password);
    const guess = (tried: string) =>
      openPanelClient(service).ask('sign-in/password', { email, password: tried });

    const right: PanelResponse[] = [];
    for (let count = 0; count < 25; count += 1) right.push(await guess(password));
    const wrong: PanelResponse[] = [];
    for (let count = 0; count < 30; count += 1) wrong.push(await guess('wrong horse 7'));

    assert.ok(right.every(({ http }) => http === 200));
    assert.equal(wrong[0]?.http, 403);
    assert.deepEqual([wrong.at(-1)?.http, codeOf(wrong.at(-1)!)], [429, 'too_many_tries']);
    assert.equal((await (await openSignedInPanel(service, account, account.owner)).ask('me')).http, 200);
  });

  test('guesses of others elsewhere do not lock out anyone who has signed in before', async () => {
    const { passwords } = createSignInLimits(undefined, () => 0);
    const [anna, home] = ['anna@example.com', '192.0.2.1'];

    const guesses = Array.from({ length: 200 }, (_, at) => passwords.guess([anna], `198.51.100.${at}`));
    const allowed = (await Promise.all(guesses)).flatMap((guess) => guess.allowed);

    assert.equal(allowed.length, 120);
    assert.deepEqual((await passwords.guess([anna], '192.0.2.2')).allowed, []);
    assert.deepEqual((await passwords.guess([anna], home, { trusted: [anna] })).allowed, [anna]);
  });

  test('a whole IPv6 network counts as one', () => {
    const places = ['2001:db8::1', '2001:db8:0:0:ffff::1', '2001:db8:0:0:1:2:3:4'];

    assert.deepEqual([...new Set(places.map(networkOf))], ['2001:db8:0:0']);
    assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8::1'));
    assert.equal(networkOf('192.0.2.7'), '192.0.2.7');
    assert.equal(networkOf('::1'), '0:0:0:0');
    assert.equal(wideNetworkOf('2001:db8::1'), '2001:db8:0');
  });
});
