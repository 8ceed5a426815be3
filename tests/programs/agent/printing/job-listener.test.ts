/** The port that receives what is printed: who can reach it, and how long and how much it waits. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { listenForJobs } from '@drawbridge/agent/platform/linux/printing/job-listener';
import type { PrintJob } from '@drawbridge/agent/platform/printing/session-printer';

const noTitle = async (): Promise<string> => '';

/** Resolves also if the connection was reset. */
const closed = (socket: Socket): Promise<unknown> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on('error', () => {});
  socket.once('close', () => resolve());
  socket.resume();
  return promise;
};

describe('the port of a printer', () => {
  const limits = { idleMs: 60_000, jobMs: 60_000, connections: 2 };
  const read = async ({ content }: PrintJob): Promise<void> => void (await buffer(content));

  test('can be reached from the device only', async () => {
    const listener = await listenForJobs(limits, noTitle);
    // One of the device's other addresses: a port at all of them can be reached there.
    const other = connect({ port: listener.port, host: '127.0.0.2' });
    const outcome = Promise.withResolvers<string | undefined>();
    other.once('connect', () => outcome.resolve('connected'));
    other.once('error', ({ code }: NodeJS.ErrnoException) => outcome.resolve(code));
    const result = await outcome.promise;
    other.destroy();
    listener.close();

    assert.equal(result, 'ECONNREFUSED');
  });

  for (const slow of [{ idleMs: 20 }, { jobMs: 20 }])
    test(`does not wait longer than ${JSON.stringify(slow)} for a document`, async () => {
      const listener = await listenForJobs({ ...limits, ...slow }, noTitle);
      const failed = Promise.withResolvers<unknown>();
      listener.onJob((job) =>
        read(job).catch((error: unknown) => {
          failed.resolve(error);
          throw error;
        }),
      );
      const socket = connect(listener.port, '127.0.0.1');
      socket.write('%PDF-');
      const isClosed = closed(socket);

      assert.match(String(await failed.promise), /did not finish the document in time/);
      await isClosed;
      listener.close();
    });

  test('lets one document wait for another, and refuses more connections', async () => {
    const listener = await listenForJobs(limits, noTitle);
    const received: string[] = [];
    listener.onJob(async ({ content }) => void received.push((await buffer(content)).toString()));
    const sockets = ['one', 'two', 'three'].map((each) => {
      const socket = connect(listener.port, '127.0.0.1', () => socket.write(each));
      return socket;
    });
    const ends = sockets.map(closed);
    await ends[2];
    assert.deepEqual(received, []);
    for (const socket of [sockets[1]!, sockets[0]!]) socket.end();
    await Promise.all(ends);
    listener.close();

    assert.deepEqual(received, ['one', 'two']);
  });
});
