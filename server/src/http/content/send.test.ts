/** Short bodies arrive byte by byte as they are, in any script. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createBodyLimiter } from './body-limiter.ts';
import { sendReply } from './send.ts';

const bodies = [
  '',
  'plain',
  'é',
  'ÿ\u0080',
  'кот',
  '😀',
  '\u2028',
  `${'a'.repeat(5_000)}é`,
  Buffer.from([0, 255, 128]),
];

test('a short body arrives with its length, whatever its letters', async () => {
  const bodyLimiter = createBodyLimiter();
  const server = createServer((request, response) => {
    const body = bodies[Number(request.url!.slice(1))]!;
    const reply = { http: 200, body, json: true, headers: { 'X-More': 'yes' } };
    void sendReply(request, response, reply, { pool: 'answers', address: '127.0.0.1', bodyLimiter });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  for (const [at, body] of bodies.entries()) {
    const answer = await fetch(`http://127.0.0.1:${port}/${at}`, {
      headers: { 'Accept-Encoding': 'identity' },
      signal: AbortSignal.timeout(5_000),
    });
    const received = Buffer.from(await answer.arrayBuffer());
    assert.deepEqual(received, Buffer.from(body), `body ${at}`);
    assert.equal(answer.headers.get('content-length'), String(received.length));
    assert.equal(answer.headers.get('x-more'), 'yes');
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
