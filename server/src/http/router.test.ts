/** Which route answers which path: exact paths, named parts, and the rest of a path. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRouter } from './router.ts';

function routerOf(...paths: string[]) {
  const router = createRouter<string>();
  for (const path of paths) router.add('GET', path, path);
  return (path: string, method = 'GET') => {
    const found = router.find(method, path);
    return found && [found.target, found.params];
  };
}

test('a path without named parts matches only itself', () => {
  const find = routerOf('/', '/docs', '/docs/', '/a.b+c');

  for (const path of ['/', '/docs', '/docs/', '/a.b+c']) assert.deepEqual(find(path), [path, {}]);
  for (const path of ['', '//', '/doc', '/docs//', '/docs/x', '/Docs', '/aXb+c', '/a.bbc'])
    assert.equal(find(path), undefined, path);
});

test('a named part is one part of the path, of at most 100 characters, and may be empty', () => {
  const find = routerOf('/p/:path', '/recording/:token/:take/:number');

  assert.deepEqual(find('/p/desk'), ['/p/:path', { path: 'desk' }]);
  assert.deepEqual(find('/p/'), ['/p/:path', { path: '' }]);
  assert.deepEqual(find(`/p/${'x'.repeat(100)}`), ['/p/:path', { path: 'x'.repeat(100) }]);
  assert.deepEqual(find('/recording/t/1/2')?.[1], { token: 't', take: '1', number: '2' });
  const others = [
    '/p',
    '/p/desk/',
    '/p/desk/x',
    `/p/${'x'.repeat(101)}`,
    '/recording/t/1',
    '/recording/t/1/2/3',
  ];
  for (const path of others) assert.equal(find(path), undefined, path);
});

test('a star is the rest of the path, however long, and may be empty', () => {
  const find = routerOf('/panel', '/panel/*', '/download/:kind/*');

  assert.deepEqual(find('/panel'), ['/panel', {}]);
  assert.deepEqual(find('/panel/'), ['/panel/*', { '*': '' }]);
  assert.deepEqual(find('/panel/devices/12'), ['/panel/*', { '*': 'devices/12' }]);
  assert.deepEqual(find(`/panel/${'x/'.repeat(500)}`)?.[1], { '*': 'x/'.repeat(500) });
  assert.deepEqual(find('/download/agent/a/b')?.[1], { kind: 'agent', '*': 'a/b' });
  for (const path of ['/panels', '/panels/x', '/download/', '/download/agent', 'panel/x', '/x/panel/y'])
    assert.equal(find(path), undefined, path);
});

test('fixed text wins over a named part, and that over the rest, in any order of the routes', () => {
  const paths = ['/d/*', '/d/:name', '/d/:name/sum', '/d/list', '/d/list/:page', '/d/:name/:page'];
  for (const order of [paths, paths.toReversed()]) {
    const find = routerOf(...order);
    const won = [
      '/d/list',
      '/d/x',
      '/d/list/2',
      '/d/x/sum',
      '/d/list/sum',
      '/d/x/2',
      '/d/x/2/3',
      '/d/list/2/3',
    ];

    assert.deepEqual(
      won.map((path) => find(path)?.[0]),
      [
        '/d/list',
        '/d/:name',
        '/d/list/:page',
        '/d/:name/sum',
        '/d/list/:page',
        '/d/:name/:page',
        '/d/*',
        '/d/*',
      ],
    );
  }
});

test('a route for GET also answers HEAD; other methods have routes of their own', () => {
  const router = createRouter<string>();
  router.add('GET', '/p/:path', 'form');
  router.add('POST', '/p/:path', 'password');
  router.add('POST', '/create', 'create');

  const find = (method: string, path: string) => router.find(method, path)?.target;
  assert.deepEqual(
    [find('GET', '/p/x'), find('HEAD', '/p/x'), find('POST', '/p/x')],
    ['form', 'form', 'password'],
  );
  for (const method of ['GET', 'HEAD', 'PUT', 'OPTIONS', 'constructor'])
    assert.equal(find(method, '/create'), undefined);
});

test('two routes for the same requests are a mistake', () => {
  const router = createRouter<string>();
  for (const path of ['/a', '/p/:path', '/panel/*']) router.add('GET', path, path);

  for (const path of ['/a', '/p/:path', '/p/:name', '/panel/*'])
    assert.throws(() => router.add('GET', path, path), /two routes/, path);
  router.add('POST', '/a', '/a');
});
