/** How the text of a setting becomes a value, and which texts are not valid. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  toHostPort,
  toBoolean,
  toEmail,
  toHttpsOrigin,
  toList,
  toNetwork,
  toNatsUrls,
  toPostgresUrl,
  toSmtpUrl,
  toWholeNumber,
  toWssOrigin,
} from './values.ts';

function refuses(read: (text: string) => unknown, texts: readonly string[]): void {
  for (const text of texts) assert.equal(read(text), undefined, JSON.stringify(text));
}

test('an address is a host and a port, with an IPv6 host in brackets', () => {
  assert.deepEqual(toHostPort('127.0.0.1:8443'), { host: '127.0.0.1', port: 8443 });
  assert.deepEqual(toHostPort('[::1]:0'), { host: '::1', port: 0 });
  assert.deepEqual(toHostPort('db-1.example.com:65535'), { host: 'db-1.example.com', port: 65_535 });
  refuses(toHostPort, [
    '',
    '8443',
    ':8443',
    '127.0.0.1',
    '::1:8443',
    '[::1]',
    '[x]:1',
    'a:65536',
    'a:-1',
    'a:1x',
    'a b:1',
  ]);
});

test('an origin is https, with no path, query, fragment or credentials', () => {
  assert.equal(toHttpsOrigin('https://Help.example.com/'), 'https://help.example.com');
  assert.equal(toHttpsOrigin('https://help.example.com:443'), 'https://help.example.com');
  assert.equal(toHttpsOrigin('https://[::1]:8443'), 'https://[::1]:8443');
  assert.equal(toWssOrigin('wss://One.example.com:8443/'), 'wss://one.example.com:8443');
  const wrong = [
    '',
    '*',
    'null',
    'help.example.com',
    'http://a',
    'https://a/b',
    'https://a/?',
    'https://a/#',
    'https://u@a',
  ];
  refuses(toHttpsOrigin, wrong);
  refuses(toWssOrigin, [
    ...wrong,
    'https://one.example.com',
    'ws://one.example.com',
    'wss://one.example.com/x',
  ]);
});

test('a database URL is one of PostgreSQL', () => {
  for (const url of [
    'postgres://u:p@db/main',
    'postgresql://db',
    'postgres:///main?host=/run/postgresql',
    'postgres://u:p@one:5432,two:5433/main?target_session_attrs=read-write',
    'postgres://one,[::1]:5433/main',
  ]) {
    assert.equal(toPostgresUrl(url), url);
  }
  refuses(toPostgresUrl, [
    '',
    'main',
    'mysql://db',
    'postgres:',
    'postgres://',
    'postgres://a b',
    'postgres://one,/main',
    'postgres://one:x,two/main',
    'postgres://one,two/main?target_session_attrs=standby',
    'sqlite://x',
  ]);
});

test('a network is an IPv4 or IPv6 address, alone or with a prefix length', () => {
  for (const network of ['10.0.0.5', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0', '::/128']) {
    assert.equal(toNetwork(network), network);
  }
  refuses(toNetwork, ['', 'localhost', '10.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/a', '/8']);
});

test('a list is separated by commas, keeps each item once and is refused for one invalid item', () => {
  assert.deepEqual(toList('10.0.0.5, ::1 ,10.0.0.5', toNetwork), ['10.0.0.5', '::1']);
  assert.deepEqual(toList('', toNetwork), []);
  assert.deepEqual(toList('10.0.0.5,,::1', toNetwork), { badItem: '' });
  assert.deepEqual(toList('10.0.0.5,x', toNetwork), { badItem: 'x' });
});

test('numbers are whole and within their bounds, and booleans are true, false, 1 or 0', () => {
  assert.deepEqual([toWholeNumber('1', 1, 9), toWholeNumber('9', 1, 9)], [1, 9]);
  refuses(
    (text) => toWholeNumber(text, 1, 9),
    ['', '0', '10', '1.5', '-1', '1e0', '0x1', ' 1', '9999999999'],
  );
  assert.deepEqual(['true', '1', 'false', '0'].map(toBoolean), [true, true, false, false]);
  refuses(toBoolean, ['', 'yes', 'TRUE', 'on']);
});

test('an e-mail address has a local part and a domain', () => {
  assert.equal(toEmail('owner@localhost'), 'owner@localhost');
  refuses(toEmail, ['', 'owner', '@localhost', 'owner@', 'a b@c', 'a@b@c', 'a\0@b']);
});

test('a mail server is a host, with an optional port and an optional name with its password', () => {
  for (const text of [
    'smtp://mail.example.com',
    'smtps://mail.example.com:465/',
    'smtp://help%40example.com:p%40ss@[::1]:587',
  ])
    assert.equal(toSmtpUrl(text), text);
  refuses(toSmtpUrl, [
    '',
    'mail.example.com',
    'https://mail.example.com',
    'smtp://',
    'smtp://mail.example.com/inbox',
    'smtp://mail.example.com?secure=false',
    'smtp://help@mail.example.com',
    'smtp://help:%zz@mail.example.com',
    'smtp://a b:c@mail.example.com',
  ]);
});

test('addresses of NATS are a list, in which the first scheme holds until the next', () => {
  assert.deepEqual(toNatsUrls('nats://u:p@one, two:4223,tls://three,four'), [
    'nats://u:p@one',
    'nats://two:4223',
    'tls://three',
    'tls://four',
  ]);
  assert.deepEqual(toNatsUrls('one,nats://two'), { badItem: 'one' });
});
