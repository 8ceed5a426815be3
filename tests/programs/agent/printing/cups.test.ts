/** The printer of a session in a real CUPS: what is printed on it arrives as PDF, and it does not outlive the agent. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { linux } from '@drawbridge/agent/platform/linux';
import { listenForJobs } from '@drawbridge/agent/platform/linux/printing/job-listener';
import { addPrinter } from '@drawbridge/agent/platform/linux/printing/session-printer';
import type { PrintJob } from '@drawbridge/agent/platform/printing/session-printer';
import { startCups, type Cups } from '../../../kit/display/cups.ts';
import { createPdf } from '../../../kit/pdf.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithout('CUPS') || (process.getuid?.() !== 0 && 'only root can start CUPS');
const name = 'Drawbridge-1A2B';
const description = 'Drawbridge: to ann@example.com';
const noTitle = async (): Promise<string> => '';

let cups: Cups;
let folder: string;
before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-printing-'));
  cups = await startCups();
  Object.assign(process.env, cups.env, { DRAWBRIDGE_AGENT_DATA: join(folder, 'agent') });
});
after(async () => {
  if (skip) return;
  await cups[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
  delete process.env['CUPS_SERVER'];
  delete process.env['DRAWBRIDGE_AGENT_DATA'];
});

function fileOf(fileName: string, content: string | Uint8Array): string {
  const path = join(folder, fileName);
  writeFileSync(path, content);
  return path;
}

/** Resolves also if the connection was reset. */
const closed = (socket: Socket): Promise<unknown> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on('error', () => {});
  socket.once('close', () => resolve());
  socket.resume();
  return promise;
};

const textOf = (pdf: Uint8Array): string =>
  execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' });

describe('a printer of a session', { skip }, () => {
  test('receives documents as PDF, one after the other, with their titles', async () => {
    const printer = await addPrinter({ name, description });
    const received: { title: string; content: Buffer }[] = [];
    printer.onJob(
      async ({ title, content }) => void received.push({ title, content: await buffer(content) }),
    );
    const story = fileOf('a.pdf', createPdf('One blind mouse', 'Three kind mice'));
    await cups.print(name, { file: story, title: 'Story', pages: '2' });
    await cups.print(name, { file: fileOf('b.txt', 'plain text\n'), title: 'Grüße' });
    await eventually(
      () => received.length,
      (count) => count === 2,
    );
    await eventually(cups.waiting, ({ length }) => length === 0);
    assert.deepEqual(await cups.printers(), [name]);
    await printer.close();

    assert.deepEqual(
      received.map(({ title, content }) => [title, content.subarray(0, 5).toString()]),
      [
        ['Story', '%PDF-'],
        ['Grüße', '%PDF-'],
      ],
    );
    assert.equal(textOf(received[0]!.content).trim(), 'Three kind mice');
    assert.deepEqual(await cups.printers(), []);
  });

  test('reports a document that was refused as failed, and takes the next one', async () => {
    const printer = await addPrinter({ name, description });
    const received: Buffer[] = [];
    let isFirst = true;
    printer.onJob(async ({ content }) => {
      for await (const chunk of content) {
        if (isFirst) {
          isFirst = false;
          throw new Error('refused');
        }
        received.push(Buffer.from(chunk));
      }
    });
    const file = fileOf('c.pdf', createPdf('again'));
    await cups.print(name, { file });
    await cups.print(name, { file });
    await eventually(cups.waiting, ({ length }) => length === 0);
    await printer.close();

    assert.match(textOf(Buffer.concat(received)), /again/);
  });

  test('that a killed agent left behind is removed when the next one starts', async () => {
    const printer = await addPrinter({ name, description });
    assert.deepEqual(await cups.printers(), [name]);
    await linux(async () => undefined).recover();

    assert.deepEqual(await cups.printers(), []);
    await printer.close(); // it is no longer there
  });

  test('is refused to a user who may not add printers, and without CUPS, with what to do', async () => {
    const add = `
      const { addPrinter } = await import('@drawbridge/agent/platform/linux/printing/session-printer');
      await addPrinter({ name: 'Drawbridge-3C4D', description: '' }).catch(({ message }) => console.log(message));`;
    const own = mkdtempSync(join(tmpdir(), 'drawbridge-printing-'));
    chmodSync(own, 0o777);
    const run = (env: Record<string, string>): string =>
      spawnSync(process.execPath, ['--input-type=module', '-e', add], {
        uid: 65_534,
        gid: 65_534,
        encoding: 'utf8',
        env: { ...process.env, DRAWBRIDGE_AGENT_DATA: own, ...env },
      }).stdout;

    assert.match(run({}), /runs as nobody, who may not add printers\. Install the agent as a service/);
    assert.match(run({ CUPS_SERVER: '/missing' }), /CUPS does not run on the device/);
    assert.match(run({ PATH: '/missing' }), /CUPS \(packages cups and cups-filters\) is not installed/);
    assert.deepEqual(await cups.printers(), []);
    rmSync(own, { recursive: true });
  });
});

describe('the port of a printer', () => {
  const limits = { idleMs: 60_000, jobMs: 60_000, connections: 2 };
  const read = async ({ content }: PrintJob): Promise<void> => void (await buffer(content));

  test('can be reached from the device only', async () => {
    const listener = await listenForJobs(limits, noTitle);
    const other = connect({ port: listener.port, host: '::1' });
    const [error] = (await once(other, 'error')) as [NodeJS.ErrnoException];
    listener.close();

    assert.ok(['ECONNREFUSED', 'EADDRNOTAVAIL'].includes(error.code!));
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
