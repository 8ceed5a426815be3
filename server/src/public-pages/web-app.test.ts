/** The files of the web apps: only files of the folder are served, with an ETag, and pages with their policy. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { webAppCsp, openWebApp } from './web-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-app-'));
writeFileSync(join(folder, 'console.js'), 'run()');
writeFileSync(join(folder, 'console.html'), '<!doctype html>');
after(() => rmSync(folder, { recursive: true, force: true }));

const app = openWebApp(folder);
const ask = (name: string, headers = {}) =>
  app.routes[0]!.handle({ params: { name }, query: '', address: '', headers, body: undefined });

test('a file has its type and an ETag, so that a browser fetches it again only after it changed', async () => {
  const first = await ask('console.js');
  const mark = first.headers!['ETag']!;
  const known = await ask('console.js', { 'if-none-match': `W/${mark}` });
  writeFileSync(join(folder, 'console.js'), 'run(2)');
  const changed = await ask('console.js', { 'if-none-match': mark });

  assert.deepEqual(
    [first.http, first.type, String(first.body)],
    [200, 'text/javascript; charset=utf-8', 'run()'],
  );
  assert.deepEqual([known.http, known.body], [304, '']);
  assert.deepEqual([changed.http, String(changed.body)], [200, 'run(2)']);
});

test('files that the folder does not list and pages without their policy are not served', async () => {
  for (const name of [
    '',
    '.',
    '..',
    '../package.json',
    '/etc/passwd',
    'console.js/',
    'CONSOLE.JS',
    'console.html',
  ])
    assert.equal((await ask(name)).http, 404, name);
});

test('a page is served with its policy and isolated from other windows; if it is not built, the response says so', async () => {
  const page = await app.page('console.html', webAppCsp('wss://relay.example'));
  const missing = await app.page('join.html', '');

  assert.deepEqual([page.http, page.body, missing.http], [200, '<!doctype html>', 503]);
  const policy = page.headers!['Content-Security-Policy']!;
  assert.match(policy, /^default-src 'none'; script-src 'self';/);
  assert.match(policy, /connect-src 'self' wss:\/\/relay\.example;/);
  assert.match(policy, /frame-ancestors 'none'.*require-trusted-types-for 'script'$/);
  assert.doesNotMatch(policy, /unsafe|\*/);
});
