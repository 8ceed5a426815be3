/** Providers at addresses that the server does not connect to are refused, however they are written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBoundedFetch } from './bounded-fetch.ts';

test('an address in a URL, or behind a name, is blocked before anything is sent', async () => {
  const limits = { ms: 5_000, bytes: 1_000 };
  const get = createBoundedFetch('', { limits, allowLoopback: false });
  const addresses = [
    'https://127.0.0.1:1',
    'https://[::1]:1',
    'https://[64:ff9b::127.0.0.1]:1',
    'https://2130706433:1',
    'https://localhost:1',
  ];
  for (const address of addresses)
    await assert.rejects(get(address, { method: 'GET', headers: {} }), /provider: address/, address);
  await assert.rejects(get('http://203.0.113.7', { method: 'GET', headers: {} }), /insecure_endpoint/);
});
