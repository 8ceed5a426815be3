/** Pipelined requests at Node's own HTTP server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createPipeliningLimit, endPipelining } from './pipelining.ts';

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** Sends requests at once to a server that allows this many to wait; afterwards another client asks. */
async function sendAtOnce(count: number, most: number): Promise<{ seen: number; otherHeard: string }> {
  const exceedsLimit = createPipeliningLimit(most);
  let seen = 0;
  const server = createServer((asked, response) => {
    seen += 1;
    if (exceedsLimit(asked, response)) endPipelining(asked);
    else if (asked.url === '/other') response.setHeader('connection', 'close').end('hello');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1').resume();
  client.on('error', () => {}).write(request.repeat(count));
  await once(client, 'close');
  const other = await fetch(`http://127.0.0.1:${port}/other`);
  const otherHeard = await other.text();
  server.close();
  await once(server, 'close');
  return { seen, otherHeard };
}

test('once a connection has ended, the requests that arrived with it are not parsed', async () => {
  const { seen } = await sendAtOnce(1_000, 3);

  assert.equal(seen, 6, 'one began, three waited, one was too many, and one came from the other client');
});

test('other clients are served after a connection was ended', async () => {
  const { otherHeard } = await sendAtOnce(10, 0);

  assert.equal(otherHeard, 'hello');
});
