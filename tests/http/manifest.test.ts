/** The web app manifest of the panel: its icons, and the brand that it carries. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cookieName } from '@drawbridge/server/panel/sign-in/cookie';
import { pngOf } from '../kit/display/logo.ts';
import { readPng } from '../kit/display/png-reader.ts';
import type { TestAccount } from '../kit/server/account.ts';
import { createPanelSession, openSignedInPanel } from '../kit/server/panel.ts';
import { startService, type TestService } from '../kit/server/service.ts';

interface Manifest {
  name: string;
  theme_color: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
}

let service: TestService;
before(async () => void (service = await startService()));
after(() => service[Symbol.asyncDispose]());

async function manifestFor(account?: TestAccount): Promise<Manifest> {
  const cookie = account && (await createPanelSession(service, account, account.owner));
  const headers: Record<string, string> = cookie ? { cookie: `${cookieName}=${cookie}` } : {};
  const { text } = await service.testClient.send({ path: '/manifest.webmanifest', headers });
  return JSON.parse(text) as Manifest;
}

const side = 192;

test('the manifest opens the panel in a window of its own, and is not cached', async () => {
  const { http, headers, text } = await service.testClient.send({ path: '/manifest.webmanifest' });

  assert.deepEqual([http, headers['content-type']], [200, 'application/manifest+json']);
  assert.equal(headers['cache-control'], 'private, no-store');
  const { icons: _icons, ...rest } = JSON.parse(text) as Manifest;
  assert.deepEqual(rest, {
    id: '/panel',
    name: 'Drawbridge',
    start_url: '/panel',
    scope: '/',
    display: 'standalone',
    theme_color: '#1f5f99',
    background_color: '#eef1f4',
  });
});

test('its icons are pictures of the size that it states; the one that systems cut covers its whole square', async () => {
  const { icons } = await manifestFor();

  assert.deepEqual(
    icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`),
    ['192x192 any', '512x512 any', '512x512 maskable'],
  );
  for (const { src, sizes, type, purpose } of icons) {
    const { headers, bytes } = await service.testClient.send({ path: src });
    const { width, height, pixels } = readPng(bytes);
    assert.deepEqual([headers['content-type'], `${width}x${height}`], [type, sizes], src);
    const isOpaque = pixels.every((pixel) => pixel >>> 24 === 255);
    assert.equal(isOpaque, purpose === 'maskable', src);
  }
  const { http, bytes } = await service.testClient.send({ path: '/static/icon-180.png' });
  assert.deepEqual([http, readPng(bytes).width], [200, 180]);
});

test('a person installs the panel under the brand of their account, everyone else under that of the first one', async () => {
  const other = await service.account();
  const [chief] = await service.server.store.members.operators();
  const first = await openSignedInPanel(service, { id: chief!.accountId }, chief!);
  await first.v1('branding/update', { name: 'First "Help" </script>', accent: '#aa1100' });
  await other.owner.call('branding/update', { name: 'Other', accent: '#00aa11' });

  const [own, signedOut] = [await manifestFor(other), await manifestFor()];

  assert.deepEqual([own.name, own.theme_color], ['Other', '#00aa11']);
  assert.deepEqual([signedOut.name, signedOut.theme_color], ['First "Help" </script>', '#aa1100']);
});

test('a logo is the icon if it is square and large enough', async () => {
  const account = await service.account();
  const iconsWith = async (width: number, height: number): Promise<Manifest['icons']> => {
    await account.owner.call('branding/logo', {}, pngOf(width, height));
    return (await manifestFor(account)).icons;
  };

  const [logo, ...more] = await iconsWith(side, side);
  assert.deepEqual([logo?.sizes, logo?.type, logo?.purpose, more], ['192x192', 'image/png', 'any', []]);
  const { bytes } = await service.testClient.send({ path: logo!.src });
  assert.ok(bytes.equals(pngOf(side, side)));
  for (const [width, height] of [
    [side - 1, side - 1],
    [side, side + 1],
  ] as const)
    assert.equal((await iconsWith(width, height)).length, 3, `${width} × ${height}`);
});
