/** The brand of an account, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestPerson } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { pngOf } from '../../kit/display/logo.ts';
import { joinLobby } from '../../kit/session/session-ends.ts';

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

for (const { kind, skip } of databases)
  describe(`branding on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const info = async (person: TestPerson) => (await person.call('branding/info')).body['data'];
    const setLogo = (person: TestPerson, bytes: Buffer<ArrayBuffer>) =>
      person.call('branding/logo', {}, bytes);
    const get = (url: string) => service.testClient.send({ path: new URL(url).pathname });

    test('an account begins without a brand, and keeps a value until it is replaced', async () => {
      const { owner } = await service.account();
      assert.deepEqual(await info(owner), { name: '', logo: '', accent: '' });

      const done = await owner.call('branding/update', { name: ' Acme Help ', accent: '#1F6FEB' });
      const { body } = await setLogo(owner, pngOf(8, 8));
      await owner.call('branding/update', {});

      assert.deepEqual(done.body, { status: 0 });
      assert.deepEqual(await info(owner), { name: 'Acme Help', logo: body['logo'], accent: '#1f6feb' });
      await owner.call('branding/update', { name: '', accent: '' });
      await owner.call('branding/logo/remove');
      assert.deepEqual(await info(owner), { name: '', logo: '', accent: '' });
      const lines = (await owner.call('audit/list')).body['data'] as { operation: string }[];
      assert.equal(lines.filter(({ operation }) => operation.startsWith('branding/')).length, 5);
    });

    test('the logo is served to everyone as a picture, with headers that let it do nothing else', async () => {
      const { owner } = await service.account();
      const picture = pngOf(5, 9);
      const { logo } = (await setLogo(owner, picture)).body as unknown as { logo: string };

      const { http, headers, bytes } = await get(logo);

      assert.match(logo, /^https:\/\/[^/]+\/brand\/[0-9a-f]{64}$/);
      assert.deepEqual([http, bytes.equals(picture)], [200, true]);
      assert.equal(headers['content-type'], 'image/png');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox");
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    });

    test('an address of no logo, or of a removed one, is not found', async () => {
      const { owner } = await service.account();
      const { logo } = (await setLogo(owner, pngOf(6, 6, 1))).body as unknown as { logo: string };
      await owner.call('branding/logo/remove');

      const base = 'https://x/brand/';
      for (const url of [logo, `${base}${'0'.repeat(64)}`, `${base}x`, base])
        assert.equal((await get(url)).http, 404, url);
    });

    test('a logo is a small PNG, JPEG or WebP by its bytes, whatever its declared type', async () => {
      const { owner } = await service.account();
      const refusals: [Buffer<ArrayBuffer>, string][] = [
        [svg, 'no_picture'],
        [Buffer.from('GIF89a'), 'no_picture'],
        [Buffer.alloc(0), 'no_picture'],
        [Buffer.concat([Buffer.from(' '), pngOf(2, 2)]), 'no_picture'],
        [pngOf(1_025, 1), 'picture_too_wide'],
        [pngOf(1, 1_025), 'picture_too_wide'],
        [Buffer.concat([pngOf(2, 2), Buffer.alloc(131_072)]), 'file_too_large'],
      ];
      for (const [bytes, code] of refusals) {
        const { http, body } = await setLogo(owner, bytes);
        assert.deepEqual([http, body.status, body.error?.code], [400, 1, code]);
      }
      const typed = await service.testClient.send({
        method: 'POST',
        path: '/v1/branding/logo',
        headers: { 'X-Api-Key': owner.apiKey, 'Content-Type': 'image/png' },
        body: svg,
      });
      assert.equal(typed.http, 400);
      assert.equal((await info(owner)).logo, '');
      assert.equal((await setLogo(owner, pngOf(1_024, 1_024))).http, 200);
    });

    test('a logo without a length is read only up to the limit', async () => {
      const { owner } = await service.account();
      let sent = 0;
      const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull(controller) {
          if (sent++ < 64) controller.enqueue(new Uint8Array(16_384));
          else controller.close();
        },
      });
      const whole = Buffer.from(await new Response(endless).arrayBuffer());

      const { http, text } = await service.testClient.send({
        method: 'POST',
        path: '/v1/branding/logo',
        headers: { 'X-Api-Key': owner.apiKey, 'Transfer-Encoding': 'chunked', 'Content-Length': [] },
        body: whole,
      });

      assert.deepEqual([http, JSON.parse(text).error.code], [400, 'file_too_large']);
    });

    test('anyone who joins with a valid code is told whose service it is, and nobody else', async () => {
      const { owner } = await service.account();
      await owner.call('branding/update', { name: 'Acme', accent: '#ff0000' });
      const { logo } = (await setLogo(owner, pngOf(7, 7))).body as unknown as { logo: string };
      const { invite_code: code } = (await owner.call('support/create')).body['data'];
      const plain = await service.account();
      const { invite_code: other } = (await plain.owner.call('support/create')).body['data'];

      await using client = await joinLobby(service.testClient.baseUrl, code);
      await using neighbour = await joinLobby(service.testClient.baseUrl, other);
      await using outsider = await joinLobby(service.testClient.baseUrl, '000000000');

      assert.deepEqual((await client.waitFor('welcome')).brand, {
        name: 'Acme',
        logo: new URL(logo).pathname,
        accent: '#ff0000',
      });
      assert.equal('brand' in (await neighbour.waitFor('welcome')), false);
      assert.equal(JSON.stringify(await outsider.waitFor('ended')).includes('Acme'), false);
    });
  });
