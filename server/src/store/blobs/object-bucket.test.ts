/** Tests how the errors of an object storage reach those who use it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { isOutage } from '../outages.ts';
import { openBucket } from './object-bucket.ts';

test('a connection that breaks in the middle of an object is an outage', async (context) => {
  const storage = createServer((_, response) => {
    response.writeHead(206, { 'content-length': 10 });
    response.write('abc', () => response.destroy());
  }).listen(0, '127.0.0.1');
  context.after(() => storage.close());
  await once(storage, 'listening');
  const bucket = openBucket({
    endpoint: `http://127.0.0.1:${(storage.address() as AddressInfo).port}`,
    bucket: 'files',
    prefix: '',
    region: 'eu',
    keyId: 'key',
    secret: 'secret',
    encryption: undefined,
  });

  await assert.rejects(
    async () => Array.fromAsync((await bucket.read('object', 0, 9))!),
    (error: Error) => isOutage(error) && error.message.startsWith('The object storage failed: '),
  );
});
