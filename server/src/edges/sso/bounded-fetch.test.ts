/** Which addresses the server does not connect to, however they are written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBoundedFetch, isBlocked } from './bounded-fetch.ts';

const blocked = ['169.254.169.254', '0.0.0.0', '224.0.0.1', '255.255.255.255', '::', 'fe80::1', 'ff02::1'];
const loopback = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'];

test('loopback, link-local and multicast addresses are blocked; others are not', () => {
  for (const address of [...blocked, '::ffff:169.254.169.254']) assert.ok(isBlocked(address, true), address);
  for (const address of loopback)
    assert.deepEqual([isBlocked(address, false), isBlocked(address, true)], [true, false], address);
  for (const address of ['10.0.0.1', '192.168.1.1', '203.0.113.7', '2001:db8::1'])
    assert.equal(isBlocked(address, false), false, address);
});

test('IPv4 addresses that translators and tunnels reach are blocked like themselves', () => {
  const writtenAs = (ipv4: string, hex: string): string[] => [
    `::${ipv4}`,
    `::ffff:0:${ipv4}`,
    `64:ff9b::${ipv4}`,
    `64:ff9b:1::${ipv4}`,
    `2002:${hex}::1`,
  ];
  for (const address of writtenAs('127.0.0.1', '7f00:1'))
    assert.deepEqual([isBlocked(address, false), isBlocked(address, true)], [true, false], address);
  for (const address of writtenAs('169.254.169.254', 'a9fe:a9fe'))
    assert.ok(isBlocked(address, true), address);
  for (const address of writtenAs('203.0.113.7', 'cb00:7107'))
    assert.equal(isBlocked(address, false), false, address);
});

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
