/** Which request targets have a path, and which one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf } from './path.ts';

test('the path ends at the query', () => {
  const paths = {
    '/': '/',
    '/v1/a': '/v1/a',
    '/v1/a?': '/v1/a',
    '/v1/a?b=/c?d#e%zz': '/v1/a',
    '//a': '//a',
    '/?x': '/',
  };
  for (const [url, path] of Object.entries(paths)) assert.equal(pathOf(url), path, url);
});

test('an absolute URL, as a proxy sends it, has the path after its host', () => {
  const paths = {
    'https://host/v1/a': '/v1/a',
    'HTTP://host:8443/v1/a?b=c': '/v1/a',
    'https://host': '/',
    'https://host?/v1/a': '/',
    'https://host/': '/',
  };
  for (const [url, path] of Object.entries(paths)) assert.equal(pathOf(url), path, url);
});

test('a path with an escape or a fragment is none, and an invalid URL has none', () => {
  const escaped = ['/v1/%61', '/v1/a%', '/v1/a#b', '/%2e/', 'https://host/%61', 'https://host/a#b'];
  const invalid = ['https:///a', 'https://', 'https://a b/c', 'https://host/a?b#c'];
  for (const url of [...escaped, ...invalid]) assert.equal(pathOf(url), undefined, url);
});

test('any other target has an empty path', () => {
  for (const url of ['', '*', '*v1/a', 'v1/a', 'host:443', 'ftp://host/a'])
    assert.equal(pathOf(url), '', url);
});
