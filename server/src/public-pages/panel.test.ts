/** The page of the panel: served at each of its URLs with its policy, and not below /panel/api. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openWebApp } from './web-app.ts';
import { panelPageRoutes } from './panel.ts';

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-panel-'));
writeFileSync(join(folder, 'panel.html'), '<!doctype html>');
after(() => rmSync(folder, { recursive: true, force: true }));

const routes = panelPageRoutes(openWebApp(folder));
const open = (path: string, params: Record<string, string> = {}) =>
  routes
    .find((route) => route.path === path)!
    .handle({ params, query: '', address: '', headers: {}, body: undefined });

test('the page is served at the root, at every URL of the panel, and at sign-in links', async () => {
  assert.deepEqual(
    routes.map(({ method, path }) => `${method} ${path}`),
    ['GET /', 'GET /panel', 'GET /panel/*', 'GET /sign-in', 'GET /sign-in/:token', 'GET /invite/:token'],
  );
  for (const { path } of routes) {
    const { http, type, headers } = await open(path, { '*': 'devices/12', token: 'x' });
    assert.deepEqual([http, type], [200, 'text/html; charset=utf-8'], path);
    assert.equal(headers?.['Referrer-Policy'], 'no-referrer');
    assert.equal(headers['Cross-Origin-Opener-Policy'], 'same-origin');
  }
});

test('the page runs only scripts of this server, connects only to this server, and cannot be framed', async () => {
  const { headers } = await open('/');
  const policy = new Map(
    (headers?.['Content-Security-Policy'] ?? '')
      .split('; ')
      .map((part) => part.split(/ (.*)/, 2) as [string, string]),
  );

  assert.deepEqual(
    [
      'default-src',
      'script-src',
      'style-src',
      'connect-src',
      'manifest-src',
      'frame-ancestors',
      'base-uri',
      'form-action',
    ].map((name) => policy.get(name)),
    ["'none'", "'self'", "'self'", "'self'", "'self'", "'none'", "'none'", "'none'"],
  );
  assert.equal(policy.get('require-trusted-types-for'), "'script'");
  assert.match(policy.get('img-src') ?? '', /^'self'( |$)/);
});

test('unknown operations of the panel do not get the page', async () => {
  for (const rest of ['api', 'api/', 'api/nothing', 'api/v1/nothing']) {
    const { http, type } = await open('/panel/*', { '*': rest });
    assert.deepEqual([http, type], [404, 'application/json; charset=utf-8'], rest);
  }
  assert.equal((await open('/panel/*', { '*': 'apiary' })).http, 200);
});
