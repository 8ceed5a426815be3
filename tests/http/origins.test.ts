/**
 * Every socket and every route that changes something, requested by pages of every origin; and every page, in
 * a frame of another.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Operation } from '@drawbridge/contract/operation';
import { panel, panelPrefix, panelV1Prefix } from '@drawbridge/contract/panel/index';
import { lobbyPath, lobbyProtocol } from '@drawbridge/contract/session/lobby';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import { playerPaths } from '@drawbridge/contract/session/player';
import { uplinkPath, uplinkProtocol } from '@drawbridge/contract/uplink/messages';
import { v1 } from '@drawbridge/contract/v1/index';
import { refusals } from '@drawbridge/server/sessions/refusals';
import type { TestAccount } from '../kit/server/account.ts';
import type { PlainResponse } from '../kit/server/test-client.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openSignedInPanel, type PanelClient } from '../kit/server/panel.ts';
import { openRawClient } from '../kit/server/raw-client.ts';
import { upgradeRequest } from '../slow/frames.ts';

const changing = (prefix: string, rows: Record<string, Operation>): string[] =>
  Object.entries(rows)
    .filter(([, { method }]) => method !== 'GET')
    .map(([id]) => prefix + id);

describe('pages of every origin', () => {
  let service: TestService;
  let account: TestAccount;
  let browser: PanelClient;
  /** By their kind: undefined sends no origin, as programs do. */
  let origins: Record<string, string | undefined>;
  before(async () => {
    service = await startService();
    account = await service.account();
    browser = await openSignedInPanel(service, account, account.owner);
    const { origin, hostname, port } = new URL(service.server.config.publicUrl);
    origins = {
      own: origin,
      none: undefined,
      null: 'null',
      other: 'https://evil.example',
      subdomain: `https://sub.${hostname}:${port}`,
      'other port': `https://${hostname}:${Number(port) + 1}`,
      'no port': `https://${hostname}`,
      http: `http://${hostname}:${port}`,
      slash: `${origin}/`,
      capitals: origin.toUpperCase(),
      longer: `${origin}.evil.example`,
      two: `${origin} https://evil.example`,
    };
  });
  after(() => service[Symbol.asyncDispose]());

  const codeOf = ({ text }: PlainResponse): string | undefined =>
    text.startsWith('{') ? (JSON.parse(text) as { error?: { code?: string } }).error?.code : undefined;
  const post = (path: string, origin: string | undefined, headers: Record<string, string>) =>
    service.testClient.send({
      method: 'POST',
      path,
      headers: { ...headers, ...(origin !== undefined && { origin }) },
      body: '{}',
    });
  /** One row answers without a body, whatever the request. */
  const isCrossSite = (answer: PlainResponse): boolean =>
    answer.text === '' || codeOf(answer) === 'cross_site';
  /** The outcomes of all requests from each origin that are not as expected. */
  async function wrongOf(
    paths: readonly string[],
    headers: () => Record<string, string>,
    isRight: (origin: string, answer: PlainResponse) => boolean,
  ): Promise<unknown[]> {
    const wrong: unknown[] = [];
    for (const path of paths)
      for (const [name, origin] of Object.entries(origins)) {
        const answer = await post(path, origin, headers());
        const isRead = answer.headers['access-control-allow-origin'] !== undefined;
        if (isRead || !isRight(name, answer)) wrong.push([path, name, answer.http, codeOf(answer)]);
      }
    return wrong;
  }

  test("no row of the panel changes anything for a page of another origin, even with all of the browser's cookies", async () => {
    const rows = [...changing(panelPrefix, panel), ...changing(panelV1Prefix, v1)];
    const headers = (): Record<string, string> =>
      browser.headers('POST', { origin: '', 'sec-fetch-site': '' });
    const foreign = await wrongOf(
      rows,
      headers,
      (name, answer) => name === 'own' || (answer.http === 403 && isCrossSite(answer)),
    );

    assert.ok(rows.length > 60, `${rows.length} rows`);
    assert.deepEqual(foreign, []);
  });

  test('the API requires its key whatever the origin, and no foreign page can read its responses', async () => {
    const wrong = await wrongOf(
      changing('/v1/', v1),
      () => ({ cookie: browser.headers('POST')['cookie']! }),
      (_, { http }) => http === 403,
    );

    assert.deepEqual(wrong, []);
  });

  test('sessions are opened, resumed, noted and reported only from own pages', async () => {
    const paths = ['open', 'resume', 'note', 'alarm'].map((name) => `/session/${name}`);
    const wrong = await wrongOf(
      paths,
      () => ({}),
      (name, { text }) => (name === 'own') !== text.includes(refusals.elsewhere.message),
    );

    assert.deepEqual(wrong, []);
  });

  test('no page can upload a chunk of a recording, not even an own one', async () => {
    const wrong = await wrongOf(
      [`${playerPaths.upload}/1/0`],
      () => ({}),
      (name, { http }) => http === (name === 'none' ? 400 : 403),
    );

    assert.deepEqual(wrong, []);
  });

  const sockets: [path: string, protocol: string, open: readonly string[]][] = [
    [uplinkPath, uplinkProtocol, ['none']],
    [lobbyPath, lobbyProtocol, ['none', 'own']],
    [relayPath, relayProtocol, ['none', 'own']],
  ];
  for (const [path, protocol, open] of sockets)
    test(`${path} is opened for ${open.join(' and ')}, and refused to every other origin`, async () => {
      for (const [name, origin] of Object.entries(origins)) {
        await using client = await openRawClient(service.server.config.listen.port, {});
        client.send(upgradeRequest(path, protocol, ...(origin === undefined ? [] : [`Origin: ${origin}`])));
        const [first] = (await client.until(/\r\n/)).split('\r\n');
        assert.match(first!, open.includes(name) ? / 101 / : / 403 /, name);
      }
    });

  test('the event stream and the reads of the panel are closed to pages of other sites', async () => {
    const { cookie } = browser.headers('GET');
    for (const site of ['cross-site', 'same-site', 'none'])
      for (const path of ['events', 'me', 'v1/agents/list']) {
        const headers = { cookie: cookie!, 'sec-fetch-site': site };
        assert.equal(
          (await service.testClient.send({ path: panelPrefix + path, headers })).http,
          403,
          `${site} ${path}`,
        );
      }
  });

  test('no page can be shown in a frame of another', async () => {
    const pages = [
      '/',
      '/panel',
      '/panel/devices',
      '/sign-in',
      '/sign-in/x',
      '/invite/x',
      '/i',
      '/i/x',
      '/c/x',
    ];
    const links = ['/p/x', '/t/x', '/o/x', `${playerPaths.page}/x`, '/download', '/docs', '/docs/'];
    for (const path of [...pages, ...links]) {
      const { http, headers } = await service.testClient.send({ path });
      const isPage = String(headers['content-type']).startsWith('text/html');
      if (isPage) assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, path);
      assert.ok(isPage || http >= 300, `${path}: ${http} ${String(headers['content-type'])}`);
    }
  });
});
