/** The interactive API reference at /docs: a page, its files from this machine, and the document of the table. */
import { openapi } from '@drawbridge/contract/openapi';
import { v1 } from '@drawbridge/contract/v1/index';
import { serverVersion } from '../../edges/version.ts';
import { memoizeAsync, libraryFile, ownFile, type PageFile } from './static-files.ts';
import { pageHead, htmlPage, type PageResponse } from './pages.ts';

/** Scripts and styles come from here and nowhere else; data: is for the icons drawn inside the library's style. */
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

const files = {
  libraryStyle: libraryFile('/docs/swagger-ui.css', 'swagger-ui.css'),
  libraryScript: libraryFile('/docs/swagger-ui-bundle.js', 'swagger-ui-bundle.js'),
  ownStyle: ownFile('/docs/own.css', 'docs.css'),
  ownScript: ownFile('/docs/own.js', 'docs.js'),
};

export function docsPages(): Map<string, () => PageResponse | Promise<PageResponse>> {
  const page = memoizeAsync(async () => htmlPage(await reference(), policy));
  const document = memoizeAsync(async () =>
    Buffer.from(JSON.stringify(openapi(v1, { version: serverVersion }))),
  );
  return new Map<string, () => PageResponse | Promise<PageResponse>>([
    ['/docs', page],
    ['/docs/', page],
    ['/docs/openapi.json', async () => ({ http: 200, type: 'application/json', body: await document() })],
    ['/docs/swagger-ui.css', files.libraryStyle.page],
    ['/docs/swagger-ui-bundle.js', files.libraryScript.page],
    ['/docs/own.css', files.ownStyle.page],
    ['/docs/own.js', files.ownScript.page],
  ]);
}

const style = async (file: PageFile): Promise<string> =>
  `<link rel="stylesheet" href="${await file.address()}">`;
const script = async (file: PageFile): Promise<string> =>
  `<script src="${await file.address()}" defer></script>`;

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
