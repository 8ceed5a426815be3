/** What a log line may contain, for each kind of secret. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safePath, scrub, withoutSecrets } from './log-redaction.ts';

const key = 'k'.repeat(64);
const token = 'Ab3_-'.repeat(9).slice(0, 43);

test('a path is logged without its query and without the secret of a link', () => {
  const paths = {
    '/v1/agents/list?search=web&apikey=abc': '/v1/agents/list',
    '/v1/team/member/invite': '/v1/team/member/invite',
    '/v1/agents/info#x': '/v1/agents/info',
    '/': '/',
    '': '',
    '/c/abc': '/c/…',
    '/i/123456789': '/i/…',
    '/o/x/y/z?q': '/o/…',
    '/p/front-desk': '/p/…',
    '/t/abc': '/t/…',
    '/sign-in/abc': '/sign-in/…',
    '/preview/7/abc': '/preview/…',
    '/invite/abc': '/invite/…',
    '/sign-in': '/sign-in',
    'https://host:8443/c/abc?x=1': '/c/…',
  };

  for (const [path, logged] of Object.entries(paths)) assert.equal(safePath(path), logged, path);
});

test('a link in an unusual spelling does not reveal its secret', () => {
  const secret = 'S3cr3t';
  const paths = [
    '/C/',
    '//c//',
    '/x/../c/',
    '/%63/',
    '/c%2F',
    '/c;v=1/',
    '/./c/',
    '/panel/sign-in/',
    '/Sign-In/',
  ];

  for (const path of paths) assert.ok(!safePath(path + secret).includes(secret), path);
});

test('a key or a token in any path is not logged, and long paths are truncated', () => {
  assert.equal(safePath(`/v1/${key}/x`), '/v1/…/x');
  assert.equal(safePath(`/${token}`), '/…');
  assert.ok(safePath('/a'.repeat(10_000)).length <= 256);
});

test('values with the names of secrets are hidden at every depth, whatever their type', () => {
  const names =
    'password api_key apikey X-Api-Key authorization Cookie set-cookie token secret url connect_url publicUrl link sign_in_link tokenHash privateKey';

  for (const name of names.split(' ')) {
    assert.deepEqual(withoutSecrets({ [name]: 'x' }), { [name]: '***' });
    assert.deepEqual(withoutSecrets({ a: [{ b: { [name]: { c: 1 } } }] }), {
      a: [{ b: { [name]: '***' } }],
    });
  }
});

test('ordinary fields are logged as they are', () => {
  const fields = {
    agent: 7,
    name: 'desk',
    ok: true,
    none: null,
    list: [1, 'two'],
    at: new Date(0),
  };

  assert.deepEqual(withoutSecrets(fields), fields);
});

test('of a request only the known fields are logged', () => {
  const known = {
    id: 'r1',
    method: 'GET',
    status: 200,
    ms: 3,
    address: '::1',
    account: 1,
    member: 2,
    operation: 'x',
  };
  const request = { ...known, path: '/c/abc?x', headers: { host: 'h' }, body: { name: 'Ann' } };

  assert.deepEqual(withoutSecrets({ request }), { request: { ...known, path: '/c/…' } });
  assert.deepEqual(withoutSecrets({ req: { url: '/i/1', socket: {} } }), { req: { path: '/i/…' } });
});

test('an error is logged with its stack and cause, without the secrets it carries', () => {
  const error = Object.assign(new Error('no', { cause: new Error('why') }), {
    code: 'E1',
    password: 'x',
  });

  const { err } = withoutSecrets({ err: error }) as { err: Record<string, unknown> };

  assert.deepEqual([err['type'], err['message'], err['code'], err['password']], ['Error', 'no', 'E1', '***']);
  assert.equal((err['cause'] as Record<string, unknown>)['message'], 'why');
  assert.equal(err['stack'], error.stack);
});

test('cycles, deep and large objects and bytes do not make a line long', () => {
  const circle: Record<string, unknown> = { bytes: new Uint8Array(5), crowd: Array(1_000).fill(1) };
  circle['self'] = circle;

  const line = JSON.stringify(withoutSecrets(circle));

  assert.ok(line.includes('[deep]') && line.includes('[5 bytes]') && line.length < 3_000);
});

test('keys, tokens, links and credentials are removed even from messages', () => {
  const said = `see https://u:pw@host/c/abc?q=1) and postgres://me:pw@db:5432/main?password=pw, key ${key}, token ${token}`;

  assert.equal(scrub(said), 'see https://host/c/… and postgres://db:5432/main key …, token …');
});

test('an unescaped password in a URL is removed with the rest of the URL', () => {
  for (const odd of ['/', '?', '#']) {
    assert.equal(
      scrub(`cannot reach postgres://me:can${odd}ary@db/main now`),
      'cannot reach postgres://… now',
    );
  }
});

test('details that help to find a bug stay in the line', () => {
  const line =
    '{"stack":"Error: x\\n    at file:///srv/c/server/src/main.ts:10:5","id":"0f8fad5b-d9cb-469f-a165-70867728950e"}';

  assert.equal(scrub(line), line);
});
