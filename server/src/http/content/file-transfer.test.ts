/** Uploads: the time limit of small requests does not apply to accepted files, and applies to everything else. */
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { openRawClient } from '../../../../tests/kit/server/raw-client.ts';
import { createSelfSigned } from '../../tls/self-signed.ts';
import { toIncomingBody, discardBody } from './file-transfer.ts';
import { openListener } from '../connection/listener.ts';

const tls = await createSelfSigned(['localhost'], new Date());
/** For requests that are expected to exceed the limit; the others have as long as in production. */
const short = { requestMs: 100, headersMs: 100, checkEveryMs: 20 };

/** Reads the body to its end at /file, not at all at /refused, and its first chunk at /enough. */
const onRequest: RequestListener = async (request, response) => {
  const { bytes } = toIncomingBody(request, response);
  let length = 0;
  if (request.url !== '/refused')
    for await (const piece of bytes) {
      length += piece.byteLength;
      if (request.url === '/enough') break;
    }
  response.end(`read ${length}`);
  discardBody(request);
};

const open = async (limits: Partial<typeof short> = {}) => {
  const listener = await openListener({ host: '127.0.0.1', port: 0, tls, onRequest, limits });
  return { port: listener.address.port, [Symbol.asyncDispose]: () => listener.close(0) };
};
const post = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;
const get = 'GET /file HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

test('an upload may take longer than the time limit of other requests', async () => {
  await using listener = await open(short);
  await using slow = await openRawClient(listener.port);
  await using cut = await openRawClient(listener.port);

  slow.send(post('/file', 6), 'abc');
  // This request starts later and never ends. When it exceeds the limit, the first one has exceeded it too.
  cut.send('POST /file HTTP/1.1\r\nHost: ');
  assert.match(await cut.ended(), /^HTTP\/1.1 408 /);
  slow.send('def', get);

  assert.match(await slow.ended(), /read 6[^]*read 0/);
});

test('the rest of a body is discarded after an early response, and the connection serves the next request', async () => {
  for (const path of ['/refused', '/enough']) {
    await using listener = await open();
    await using client = await openRawClient(listener.port);

    client.send(post(path, 1_000_003), 'abc');
    await client.until(/read [03]/);
    client.send('d'.repeat(1_000_000), get);

    assert.match(await client.ended(), /read [03][^]*read 0/, path);
  }
});
