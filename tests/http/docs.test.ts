/**
 * The API reference at /docs and the start page: their files, what they may load, and a visit in a real
 * browser.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openapi } from '@drawbridge/contract/documents/openapi';
import { v1 } from '@drawbridge/contract/v1/index';
import { serverVersion } from '@drawbridge/server/edges/version';
import { openBrowser, type Browser } from '../kit/browser/browser.ts';
import type { BrowserPage } from '../kit/browser/browser-page.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { skipWithout } from '../kit/requirements.ts';

const skip = skipWithout('Chromium');
let service: TestService;
let browser: Browser;
before(async () => {
  service = await startService();
  if (!skip) browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await service[Symbol.asyncDispose]();
});

const get = (path: string) => service.testClient.send({ path });

/** The addresses in the tags of a page. */
const namedIn = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);

const directives = (policy: string): Record<string, string> =>
  Object.fromEntries(policy.split('; ').map((part) => part.split(/ (.*)/, 2) as [string, string]));

test('the reference is a page at /docs and at /docs/', async () => {
  for (const path of ['/docs', '/docs/']) {
    const { http, headers, text } = await get(path);

    assert.deepEqual([http, headers['content-type']], [200, 'text/html; charset=utf-8'], path);
    assert.match(text, /^<!doctype html>/);
  }
});

test('each file of the pages has its type, may be cached for a day, and has a hash of its content in its address', async () => {
  const types: Record<string, string> = {
    '/docs/swagger-ui.css': 'text/css; charset=utf-8',
    '/docs/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
    '/docs/own.css': 'text/css; charset=utf-8',
    '/docs/own.js': 'text/javascript; charset=utf-8',
    '/static/page.css': 'text/css; charset=utf-8',
    '/static/icon.svg': 'image/svg+xml',
  };
  const { text } = await get('/docs/');
  const marked = new Set(namedIn(text).filter((address) => address.includes('?')));

  assert.deepEqual(
    [...marked].map((address) => address.split('?')[0]).toSorted(),
    Object.keys(types).toSorted(),
  );
  for (const address of marked) {
    const { http, headers, bytes } = await get(address);
    const [path = ''] = address.split('?');
    assert.match(address, /\?v=[\w-]{12}$/);
    assert.deepEqual([http, headers['content-type']], [200, types[path]], path);
    assert.equal(headers['cache-control'], 'public, max-age=86400');
    assert.ok(bytes.length > 200, path);
  }
});

test('the pages refer to nothing on another server', async () => {
  const { text } = await get('/docs/');

  assert.deepEqual(
    namedIn(text).filter((address) => !/^[/#][^/]?/.test(address) || address.startsWith('//')),
    [],
  );
});

test('the pages may run only scripts of this server, and no inline scripts', async () => {
  const { headers, text } = await get('/docs/');

  assert.deepEqual(directives(String(headers['content-security-policy'])), {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  });
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; /);
  assert.doesNotMatch(text, /<script(?![^>]* src=)|<style| style=| on\w+=/);
});

test('the document of the reference is derived from the table, and names only this server', async () => {
  const { http, headers, text } = await get('/docs/openapi.json');
  const document = JSON.parse(text) as ReturnType<typeof openapi>;

  assert.deepEqual([http, headers['content-type']], [200, 'application/json']);
  assert.deepEqual(document, JSON.parse(JSON.stringify(openapi(v1, { version: serverVersion }))));
  assert.deepEqual(document.servers, [{ url: '/' }]);
});

test('other addresses below /docs are unknown, whatever they try to reach', async () => {
  for (const path of [
    '/docs/index.html',
    '/docs/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/static/',
    '/static/docs.js',
  ]) {
    const { http, text } = await get(path);

    assert.equal(http, 404, path);
    assert.match(text, /"unknown_url"/);
  }
});

test('a browser that asks for the largest file gets it compressed', async () => {
  const { headers, bytes } = await service.testClient.send({
    path: '/docs/swagger-ui-bundle.js',
    headers: { 'Accept-Encoding': 'gzip, br' },
  });

  assert.equal(headers['content-encoding'], 'gzip');
  assert.ok(bytes.length < 700_000, `${bytes.length} bytes`);
});

/** As a person does: opens the dialog, pastes the key, closes the dialog. Returns how the page shows what is typed. */
async function authorize(page: BrowserPage, key: string): Promise<string> {
  await page.click('.btn.authorize');
  await page.type('.auth-container input', key);
  const security = `getComputedStyle(document.querySelector('.auth-container input')).webkitTextSecurity`;
  const shown = await page.evaluate<string>(security);
  await page.click('.auth-btn-wrapper .authorize');
  await page.click('.auth-btn-wrapper .btn-done');
  return shown;
}

/** Opens the operation by its address, tries it, and returns what the page then shows of the response. */
async function tryOut(
  page: BrowserPage,
  operation: string,
  path = '/docs/',
): Promise<{ code: string; body: string }> {
  await page.goto(`${service.testClient.baseUrl}${path}#${operation}`);
  const block = `.opblock:has([data-path="/v1/${operation}"])`;
  await page.click(`${block} .try-out__btn`);
  await page.click(`${block} .execute`);
  const shown = `document.querySelector('${block} .live-responses-table .response`;
  const code = await page.until<string>(`${shown} .response-col_status')?.innerText`);
  const body = await page.until<string>(`${shown} .highlight-code code')?.innerText`);
  return { code, body };
}

async function visit(path: string): Promise<BrowserPage> {
  const page = await browser.page();
  await page.goto(service.testClient.baseUrl + path);
  return page;
}

/** Nothing was requested from other servers, nothing was blocked by the policy, nothing failed. */
function assertClean(page: BrowserPage): void {
  const foreign = page.requests.filter((url) => new URL(url).origin !== service.testClient.baseUrl);
  assert.ok(page.requests.length > 0);
  assert.deepEqual([foreign, page.violations, page.errors], [[], [], []]);
}

test(
  'a person opens the reference, authorizes with a hidden key and tries an operation; nothing leaves this server, and a reload forgets the key',
  { skip },
  async () => {
    const account = await service.account();
    await account.group('Berlin office');
    const page = await visit('/docs/');

    assert.equal(await authorize(page, account.owner.apiKey), 'disc');
    const authorized = await tryOut(page, 'groups/list');

    assert.match(authorized.code, /^200/);
    assert.match(authorized.body, /"name": "Berlin office"/);
    assertClean(page);
    assert.equal(
      await page.evaluate('Object.keys(localStorage).length + Object.keys(sessionStorage).length'),
      0,
    );

    const reloaded = await tryOut(page, 'groups/list', '/docs');

    assert.match(reloaded.code, /^403/);
    assert.match(reloaded.body, /"invalid_api_key"/);
  },
);

test('the reference fits a phone, and is dark if the system is', { skip }, async () => {
  const page = await browser.page();
  const light = async (): Promise<boolean> => {
    const colour = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    return Number(/\d+/.exec(colour)?.[0]) > 127;
  };
  await page.emulate({ width: 390, height: 844, phone: true });
  await page.goto(`${service.testClient.baseUrl}/docs/`);
  await page.until(`document.querySelector('.opblock')`);

  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  assert.equal(await light(), true);
  await page.emulate({ dark: true });
  assert.equal(await light(), false);
  assertClean(page);
});
