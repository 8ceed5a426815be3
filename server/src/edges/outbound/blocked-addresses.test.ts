/** Which addresses the server does not connect to for an account. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBlocked } from './blocked-addresses.ts';

const metadata = ['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254'];
const blocked = [...metadata, '0.0.0.0', '224.0.0.1', '255.255.255.255', '::', 'fe80::1', 'ff02::1'];
const loopback = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'];

test('loopback, link-local, metadata and multicast addresses are blocked; others are not', () => {
  for (const address of [...blocked, '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe'])
    assert.ok(isBlocked(address, true), address);
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
