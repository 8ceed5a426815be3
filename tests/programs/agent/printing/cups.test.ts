/** The printer of a session in a real CUPS: what is printed on it arrives as PDF, and it does not outlive the agent. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { linux } from '@drawbridge/agent/platform/linux';
import { addPrinter } from '@drawbridge/agent/platform/linux/printing/session-printer';
import { openSandbox } from '../../../kit/agent/sandbox.ts';
import { startCups, type Cups } from '../../../kit/display/cups.ts';
import { createPdf } from '../../../kit/pdf.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithout('CUPS') || (process.getuid?.() !== 0 && 'only root can start CUPS');
const name = 'Drawbridge-1A2B';
const description = 'Drawbridge: to ann@example.com';
const agentProgram = join(import.meta.dirname, '../../../../agent/src/main.ts');
/** A login manager: Ann is at the device, Ben is connected over the network, and Cleo is in the background. */
const loginctlScript = `#!/bin/sh
case $1 in
  list-sessions) printf '%s\\n' '1 1000 ann seat0' '2 1001 ben -' '3 1002 cleo seat0' ;;
  show-session) printf '%s\\n' Name=ann Class=user Active=yes Seat=seat0 '' Name=ben Class=user Active=yes Seat= '' \\
    Name=cleo Class=user Active=no Seat=seat0 ;;
esac
`;

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

  test('that a killed agent left behind is removed by uninstall, or named if CUPS does not run', async () => {
    const left = await addPrinter({ name, description });
    const uninstall = async (env: Record<string, string>): Promise<string> => {
      const data = { DRAWBRIDGE_AGENT_DATA: process.env['DRAWBRIDGE_AGENT_DATA']! };
      await using sandbox = await openSandbox({ ...data, ...env });
      return (await sandbox.run(`${process.execPath} ${agentProgram} agent uninstall`)).stdout;
    };
    assert.match(await uninstall(cups.env), /^The agent and its key were removed/);
    assert.deepEqual(await cups.printers(), []);
    await left.close();

    const again = await addPrinter({ name, description });
    const said = await uninstall({ CUPS_SERVER: '/missing' });
    assert.match(
      said,
      /^Printing is not possible: CUPS does not run on the device\. .*: lpadmin -x Drawbridge-1A2B\n/,
    );
    assert.deepEqual(await cups.printers(), [name]);
    await again.close();
  });

  test('takes documents of the person at the device and of root, and of nobody else', async () => {
    const programs = mkdtempSync(join(folder, 'programs-'));
    writeFileSync(join(programs, 'loginctl'), loginctlScript, { mode: 0o755 });
    const path = process.env['PATH']!;
    process.env['PATH'] = `${programs}:${path}`;
    const printer = await addPrinter({ name, description });
    process.env['PATH'] = path;
    let count = 0;
    printer.onJob(async ({ content }) => void (await buffer(content), (count += 1)));
    const file = fileOf('d.pdf', createPdf('mine'));
    for (const user of ['ann', 'root']) await cups.print(name, { file, user });

    for (const user of ['ben', 'cleo']) await assert.rejects(cups.print(name, { file, user }), /allowed/i);
    await eventually(cups.waiting, ({ length }) => length === 0);
    assert.equal(count, 2);
    await printer.close();
  });

  test('leaves no documents and no files when it is removed, also of jobs that wait', async () => {
    const previous = process.env['TMPDIR'];
    process.env['TMPDIR'] = mkdtempSync(join(folder, 'temporary-'));
    const printer = await addPrinter({ name, description });
    assert.deepEqual(readdirSync(tmpdir()), []);
    if (previous === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = previous;
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    printer.onJob(async () => {
      begun.resolve();
      await ended.promise;
    });
    const file = fileOf('e.pdf', createPdf('secret'));
    for (const title of ['is printed', 'waits']) await cups.print(name, { file, title });
    await begun.promise;
    assert.equal(cups.storedDocuments().length, 2);
    await printer.close();

    await eventually(cups.storedDocuments, ({ length }) => length === 0);
    assert.deepEqual(await cups.waiting(), []);
    ended.resolve();
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
