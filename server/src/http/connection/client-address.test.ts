/** Networks and proxies: which addresses a network contains, and whose forwarding headers count. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientOf, clientOfRequest, isInNetworks, type Networks, parseNetworks } from './client-address.ts';

const networks = (...list: string[]): Networks => {
  const result = parseNetworks(list);
  assert.ok('networks' in result, `refused: ${list.join(' ')}`);
  return result.networks;
};
const call = (remoteAddress: string, headers: Record<string, string>, encrypted = false) => ({
  remoteAddress,
  encrypted,
  headers,
});

test('a network contains its own addresses and not those of its neighbour', () => {
  const office = networks('10.1.0.0/16', '192.168.1.7', 'fd00:1::/32', '2001:db8::5');

  for (const inside of ['10.1.0.0', '10.1.255.255', '192.168.1.7', 'fd00:1:ffff::1', '2001:db8:0::5']) {
    assert.ok(isInNetworks(inside, office), inside);
  }
  for (const outside of [
    '10.2.0.0',
    '10.0.255.255',
    '192.168.1.8',
    'fd00:2::1',
    '2001:db8::6',
    '::1',
    '',
    'x',
  ]) {
    assert.ok(!isInNetworks(outside, office), outside);
  }
});

test('an IPv4 address mapped into IPv6 is the same address, in every spelling', () => {
  assert.ok(isInNetworks('::ffff:10.1.2.3', networks('10.0.0.0/8')));
  assert.ok(isInNetworks('0:0:0:0:0:ffff:0a01:0203', networks('10.0.0.0/8')));
  assert.ok(isInNetworks('10.1.2.3', networks('::ffff:10.0.0.0/104')));
  assert.ok(isInNetworks('10.1.2.3', networks('::ffff:a01:203')));
  assert.ok(!isInNetworks('11.1.2.3', networks('::ffff:10.0.0.0/104')));
});

test('networks are shown in normalized form', () => {
  assert.deepEqual(
    networks(' 10.0.0.0/8 ', '::1', '1.2.3.4', '2001:0DB8:0::/32', '::ffff:10.0.0.0/104').list,
    ['10.0.0.0/8', '::1/128', '1.2.3.4/32', '2001:db8::/32', '10.0.0.0/8'],
  );
});

test('a list can contain all addresses or none', () => {
  assert.ok(isInNetworks('203.0.113.9', networks('0.0.0.0/0')));
  assert.ok(isInNetworks('2001:db8::1', networks('::/0')));
  assert.ok(!isInNetworks('203.0.113.9', networks()));
});

test('an entry that is neither an address nor a network is refused and named', () => {
  const wrong = [
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0/8',
    '::/129',
    'fe80::1%eth0',
  ];
  wrong.push('10.0.0.0/8/8', '::ffff:10.0.0.0/8', '10.0.0.0/ 8', '010.0.0.1', '1.2.3.4:80', '*');
  for (const entry of wrong) {
    assert.deepEqual(parseNetworks(['127.0.0.1', entry]), {
      fault: 'invalid',
      message: `"${entry}" is not an address or a network.`,
    });
  }
});

test('forwarding headers of a peer that is not a trusted proxy are ignored', () => {
  const spoofed = { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-proto': 'https' };

  assert.deepEqual(clientOf(call('203.0.113.9', spoofed), networks('127.0.0.1')), {
    address: '203.0.113.9',
    https: false,
  });
  assert.deepEqual(clientOf(call('127.0.0.1', spoofed), networks()), { address: '127.0.0.1', https: false });
  assert.deepEqual(clientOf(call('::ffff:127.0.0.1', {}, true), networks()), {
    address: '127.0.0.1',
    https: true,
  });
});

test('the client is the last address that is not a trusted proxy, whatever precedes it', () => {
  const trusted = networks('127.0.0.1', '10.0.0.0/8');
  const of = (forwarded: string): string =>
    clientOf(call('::ffff:127.0.0.1', { 'x-forwarded-for': forwarded }), trusted).address;

  assert.equal(of('203.0.113.9'), '203.0.113.9');
  assert.equal(of('127.0.0.1, 203.0.113.9'), '203.0.113.9');
  assert.equal(of('1.1.1.1, 203.0.113.9, 10.0.0.2,10.0.0.1'), '203.0.113.9');
  assert.equal(of('203.0.113.9:4711'), '203.0.113.9');
  assert.equal(of('[2001:db8::1]:443'), '2001:db8::1');
  assert.equal(of('2001:DB8:0::1'), '2001:db8::1');
  assert.equal(of('10.0.0.3, 10.0.0.2'), '10.0.0.3');
});

test('a malformed hop ends the chain at the proxy that reported it', () => {
  const trusted = networks('127.0.0.1', '10.0.0.0/8');
  const of = (forwarded: string): string =>
    clientOf(call('127.0.0.1', { 'x-forwarded-for': forwarded }), trusted).address;

  assert.equal(of('203.0.113.9, unknown, 10.0.0.2'), '10.0.0.2');
  assert.equal(of('203.0.113.9, '), '127.0.0.1');
  assert.equal(of('<script>'), '127.0.0.1');
});

test('the header of a trusted proxy says whether the client used HTTPS, whether or not its own connection is encrypted', () => {
  const trusted = networks('127.0.0.1');
  const https = (protocol: string | undefined, encrypted: boolean): boolean =>
    clientOf(
      call('127.0.0.1', protocol === undefined ? {} : { 'x-forwarded-proto': protocol }, encrypted),
      trusted,
    ).https;

  assert.equal(https('https', false), true);
  assert.equal(https('HTTPS', false), true);
  assert.equal(https('http', true), false);
  assert.equal(https('https, http', false), false);
  assert.equal(https('httpsx', false), false);
  assert.equal(https(undefined, false), false);
  assert.equal(https(undefined, true), true);
});

test('each request of a connection has its own client behind a trusted proxy, and the same one otherwise', () => {
  const clients = (trusted: Networks): string[] => {
    const socket = { remoteAddress: '127.0.0.1', encrypted: true };
    return ['203.0.113.1', '203.0.113.2', '203.0.113.1'].map(
      (forwarded) =>
        clientOfRequest(
          { socket, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage,
          trusted,
        ).address,
    );
  };

  assert.deepEqual(clients(networks('127.0.0.1')), ['203.0.113.1', '203.0.113.2', '203.0.113.1']);
  assert.deepEqual(clients(networks()), ['127.0.0.1', '127.0.0.1', '127.0.0.1']);
});
