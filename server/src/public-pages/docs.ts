/** The interactive API reference at /docs: a page, its files, and the OpenAPI document. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { openapi } from '@drawbridge/contract/documents/openapi';
import { v1 } from '@drawbridge/contract/v1/index';
import { serverVersion } from '../edges/version.ts';
import { htmlPage, type Route } from '../http/route.ts';
import { ownFiles, pageHead } from './page.ts';
import { openStaticFolder, versionedFile, type VersionedFile } from './static-files.ts';

/** Scripts and styles come only from this server; `data:` is for the icons in the library's style sheet. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const libraryFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const libraryFiles = openStaticFolder(libraryFolder);

const files = {
  libraryStyle: versionedFile('/docs/swagger-ui.css', libraryFiles, 'swagger-ui.css'),
  libraryScript: versionedFile('/docs/swagger-ui-bundle.js', libraryFiles, 'swagger-ui-bundle.js'),
  ownStyle: versionedFile('/docs/own.css', ownFiles, 'docs.css'),
  ownScript: versionedFile('/docs/own.js', ownFiles, 'docs.js'),
};

export function docsRoutes(): Route[] {
  let document: Buffer | undefined;
  const page = async () => htmlPage(await reference(), policy);
  return [
    { method: 'GET', path: '/docs', handle: page },
    { method: 'GET', path: '/docs/', handle: page },
    {
      method: 'GET',
      path: '/docs/openapi.json',
      async handle() {
        document ??= Buffer.from(JSON.stringify(openapi(v1, { version: serverVersion })));
        return { http: 200, type: 'application/json', body: document };
      },
    },
    ...Object.values(files).map(({ route }) => route),
  ];
}

const style = async (file: VersionedFile): Promise<string> =>
  `<link rel="stylesheet" href="${await file.url()}">`;
const script = async (file: VersionedFile): Promise<string> =>
  `<script src="${await file.url()}" defer></script>`;

const reference = async (): Promise<string> => `${await pageHead('Drawbridge API reference')}
${await style(files.libraryStyle)}
${await style(files.ownStyle)}
${await script(files.libraryScript)}
${await script(files.ownScript)}
<header class="bar">
<a class="name" href="/">Drawbridge</a>
<a href="/docs/openapi.json">OpenAPI document</a>
</header>
<main class="reference">
<h1>API reference</h1>
<p>Calls need an <b>API key</b>. The first start of the server prints one; on the server’s machine
<code>npx drawbridge key create --email you@example.com</code> creates another, and so does
<a href="#keys/create">keys/create</a> below.</p>
<p>Press <b>Authorize</b>, paste the key, open an operation and press <b>Try it out</b>. Calls are not simulated: they run
on this server. The key stays in this tab until you close or reload it.</p>
<noscript><p>This page needs JavaScript. What it shows is in the <a href="/docs/openapi.json">OpenAPI document</a>.</p></noscript>
<div id="reference"></div>
</main>
</html>
`;
