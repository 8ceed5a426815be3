/**
 * What the profile and integration pages compute by themselves: networks, expiry, example commands, names of
 * browsers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keys } from '@drawbridge/contract/v1/keys';
import { cliExamples, curlExamples } from '@drawbridge/web/panel/integration/examples';
import { expiryOf } from '@drawbridge/web/panel/integration/expiry';
import { isNetwork, maxKeyNetworks, parseNetworkLines } from '@drawbridge/web/panel/integration/networks';
import { describeBrowser } from '@drawbridge/web/panel/profile/describe-browser';

test('networks are read one per line; empty lines and repetitions do not count', () => {
  assert.deepEqual(parseNetworkLines(' 192.0.2.7\n\n10.0.0.0/8, 2001:db8::/32\n192.0.2.7\n'), {
    networks: ['192.0.2.7', '10.0.0.0/8', '2001:db8::/32'],
  });
  assert.deepEqual(parseNetworkLines(' \n '), { networks: [] });
});

test('the line that is not a network is named', () => {
  assert.deepEqual(parseNetworkLines('10.0.0.0/8\nmy office'), { bad: 'my office' });
  const many = Array.from({ length: maxKeyNetworks + 1 }, (_, index) => `192.0.2.${index}`);
  assert.deepEqual(parseNetworkLines(many.join('\n')), { tooMany: true });
});

test('the page accepts exactly the networks that the API accepts', () => {
  const { networks } = keys['keys/create'].input.shape;
  const samples = ['10.0.0.1', '10.0.0.0/8', '10.0.0.0/33', '10.0.0.0/08', '256.1.1.1', '01.2.3.4', '1.2.3'];
  samples.push('::1', '::/0', '2001:db8::1', '2001:db8::/129', '::ffff:10.0.0.1', '1::2::3', 'fe80::1%eth0');
  samples.push('localhost', '10.0.0.0/', '10.0.0.0/8/8', ':', '[::1]', '12345::', 'a', '/8');
  for (const sample of samples) assert.equal(isNetwork(sample), networks.safeParse([sample]).success, sample);
});

test('a key expires after the chosen length, or at the end of the chosen day', () => {
  const now = 1_800_000_000;
  assert.equal(expiryOf('never', '', now), undefined);
  assert.equal(expiryOf('30', '', now), now + 30 * 86_400);
  const end = expiryOf('date', '2030-05-01', now)!;
  assert.equal(new Date(end * 1_000).toString().slice(0, 24), 'Wed May 01 2030 23:59:59');
});

test('a day that is missing or over is refused', () => {
  const now = 1_800_000_000;
  assert.equal(expiryOf('date', '', now), null);
  assert.equal(expiryOf('date', '2020-01-01', now), null);
});

test('the example commands contain the address of the server and the key', () => {
  const server = { public_url: 'https://help.example.com', key_pin: '' };
  for (const { line } of curlExamples(server, 'KEY')) {
    assert.match(line, /^curl (-X POST )?-H 'X-Api-Key: KEY' 'https:\/\/help\.example\.com\/v1\/[^']+'$/);
  }
  assert.equal(
    cliExamples(server, 'KEY').login,
    'npx drawbridge login --server https://help.example.com --key KEY',
  );
});

test('on a server with its own certificate the example commands name its key', () => {
  const server = { public_url: 'https://help.example.com', key_pin: 'PIN=' };
  for (const { line } of curlExamples(server, 'KEY'))
    assert.match(line, /^curl -k --pinnedpubkey 'sha256\/\/PIN=' (-X POST )?-H 'X-Api-Key: KEY' '[^']+'$/);
  assert.match(cliExamples(server, 'KEY').login, / --key KEY --fingerprint 'sha256\/\/PIN='$/);
});

test('a browser and its system are named', () => {
  const nameOf = (rest: string): string => describeBrowser(`Mozilla/5.0 ${rest}`);
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  assert.equal(nameOf('(X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'), 'Firefox on Linux');
  assert.equal(nameOf(`(Windows NT 10.0; Win64) ${webkit} Chrome/129.0 Safari/537.36`), 'Chrome on Windows');
  assert.equal(nameOf(`(Windows NT 10.0) ${webkit} Chrome/129.0 Safari/537.36 Edg/129.0`), 'Edge on Windows');
  assert.equal(
    nameOf(`(Linux; Android 10; K) ${webkit} Chrome/129.0 Mobile Safari/537.36`),
    'Chrome on Android',
  );
  assert.equal(
    nameOf('(iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605 Version/17.5 Mobile/15E Safari/604.1'),
    'Safari on iPhone',
  );
  assert.equal(
    nameOf('(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/17.5 Safari/605'),
    'Safari on macOS',
  );
  assert.equal(describeBrowser(''), 'Unknown browser');
  assert.equal(describeBrowser('<script>alert(1)</script>'), 'Unknown browser');
});
