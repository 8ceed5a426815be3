/** The network of an address, in every notation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf, rangeOf, wideNetworkOf } from './networks.ts';

test('an IPv4 address within IPv6 is the IPv4 address, in every notation', () => {
  const notations = ['::ffff:1.2.3.4', '::ffff:102:304', '::FFFF:0102:0304', '0:0:0:0:0:ffff:1.2.3.4'];
  const written = [...notations, '0000:0000:0000:0000:0000:ffff:0102:0304', '::ffff:1.2.3.4%eth0'];

  for (const address of written)
    assert.deepEqual([networkOf(address), wideNetworkOf(address)], ['1.2.3.4', '1.2.3.4'], address);
  assert.equal(networkOf('::ffff:255.0.16.1'), '255.0.16.1');
  assert.equal(networkOf('::ffff:0:0'), '0.0.0.0');
});

test('addresses that only resemble a mapped IPv4 address stay IPv6 networks', () => {
  assert.equal(networkOf('::1.2.3.4'), '0:0:0:0');
  assert.equal(networkOf('::fffe:1.2.3.4'), '0:0:0:0');
  assert.equal(networkOf('64:ff9b::ffff:102:304'), '64:ff9b:0:0');
  assert.equal(networkOf('::1:ffff:102:304'), '0:0:0:0');
  assert.equal(wideNetworkOf('2001:db8:7:8::ffff:1.2.3.4'), '2001:db8:7');
});

test('an IPv4 address, a full IPv6 address and an empty one', () => {
  assert.deepEqual(['192.0.2.7', '2001:db8:1:2:3:4:5:6', '::', ''].map(networkOf), [
    '192.0.2.7',
    '2001:db8:1:2',
    '0:0:0:0',
    '',
  ]);
});

test('a network of any size has a first and a last address', () => {
  const ranges: [string, number, string, string][] = [
    ['8.8.8.8', 24, '8.8.8.0', '8.8.8.255'],
    ['203.0.113.77', 20, '203.0.112.0', '203.0.127.255'],
    ['203.0.113.77', 32, '203.0.113.77', '203.0.113.77'],
    ['203.0.113.77', 0, '0.0.0.0', '255.255.255.255'],
    ['2001:db8:1:2::7', 32, '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::1', 126, '2001:db8::', '2001:db8::3'],
    ['2001:db8:abcd::', 39, '2001:db8:aa00::', '2001:db8:abff:ffff:ffff:ffff:ffff:ffff'],
  ];

  for (const [address, bits, first, last] of ranges)
    assert.deepEqual(rangeOf(address, bits), { first, last }, `${address}/${bits}`);
});
