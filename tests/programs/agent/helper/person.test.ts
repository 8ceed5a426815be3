/** Files and shells that another process opens for the agent: real files, a real shell, and a process that ends, hangs or lies. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { createMessageChannel } from '@drawbridge/agent/platform/helper/message-channel';
import type { AcquirePerson } from '@drawbridge/agent/platform/helper/person-connection';
import { createPersonFiles } from '@drawbridge/agent/platform/helper/remote-files';
import { createRemoteObjects, mainObject } from '@drawbridge/agent/platform/helper/remote-objects';
import { openRemoteShell } from '@drawbridge/agent/platform/helper/remote-shell';
import { serveObjects, type Methods } from '@drawbridge/agent/platform/helper/serve-objects';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { eventually } from '../../../kit/eventually.ts';

const program = join(import.meta.dirname, 'person-program.ts');
const signedOut = 'The person at the device has signed out.';

/** A process of this user that serves this folder. */
async function startPerson(folder: string) {
  const env = { PATH: process.env['PATH'], HOME: folder };
  const launcher = join(import.meta.dirname, '../../../../cli/bin/drawbridge.cjs');
  const child = spawn(process.execPath, [launcher, '--run', program], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const channel = createMessageChannel(child.stdout, child.stdin);
  const objects = createRemoteObjects(channel, { closed: () => signedOut, silent: 'It does not answer.' });
  await objects.call(mainObject, 'configure', [{ DRAWBRIDGE_AGENT_FILES: folder }], { timeoutMs: 60_000 });
  const connection = { objects, whyClosed: () => signedOut, onClose: channel.onClose, close: channel.close };
  let held = 0;
  const acquire: AcquirePerson = async () => {
    held += 1;
    return { value: connection, release: () => void (held -= 1) };
  };
  return { acquire, held: () => held, child, ended: once(child, 'exit'), close: channel.close };
}

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof NotPossible ? error.message : `not a sentence: ${String(error)}`),
  );

const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
const sha256 = createHash('sha256').update(content).digest('hex');

describe('a process of the person', () => {
  let folder = '';
  let person: Awaited<ReturnType<typeof startPerson>>;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'drawbridge-person-'));
    person = await startPerson(folder);
  });
  after(() => {
    person.child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  test('uploads in parts, resumes, reads, lists, renames and removes, and keeps nothing open', async () => {
    const files = createPersonFiles('/', person.acquire);
    const file = { path: '/up.bin', size: content.length, time: 1_700_000_000, replace: false };
    const first = await files.create(file);
    await first.write(0, content.subarray(0, 100_000));
    await first.close();
    const second = await files.create(file);
    // Not awaited one by one, as in a session.
    const writes = [100_000, 200_000].map((at) => second.write(at, content.subarray(at, at + 100_000)));
    await second.finish(sha256);
    await Promise.all(writes);
    const opened = await files.open('/up.bin');
    const read = Buffer.concat([await opened.read(0, 250_000), await opened.read(250_000, 100_000)]);
    const beyond = await opened.read(content.length, 10);
    await opened.close();
    await files.folder('/sub');
    await files.rename('/up.bin', '/sub/moved.bin');
    const listed = (await files.list('/sub')).entries.map(({ name, kind, size }) => [name, kind, size]);
    await files.remove('/sub');

    assert.deepEqual(
      [second.from, opened.size, opened.time, beyond.length],
      [100_000, 300_000, file.time, 0],
    );
    assert.ok(read.equals(content));
    assert.deepEqual(listed, [['moved.bin', 'file', 300_000]]);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(person.held(), 0);
  });

  test('refusals are the sentences of the process, and a page begins after a name', async () => {
    const files = createPersonFiles('/', person.acquire);
    mkdirSync(join(folder, 'many'));
    for (let each = 0; each < 3; each += 1) writeFileSync(join(folder, 'many', `${each}`), '');
    const upload = await files.create({ path: '/wrong', size: 1, replace: false });
    await upload.write(0, Buffer.from('x'));

    assert.equal(await messageOf(files.open('/none')), 'There is no file or folder with that name.');
    assert.match(await messageOf(upload.finish('0'.repeat(64))), /differs from the one that was sent/);
    assert.deepEqual(
      (await files.list('/many', '0')).entries.map(({ name }) => name),
      ['1', '2'],
    );
    assert.equal(person.held(), 0);
  });

  test('a shell shows its output and says how it ended', async () => {
    const shell = await openRemoteShell(person.acquire, { columns: 80, rows: 24 });
    let [output, ended] = ['', ''];
    shell.onData((data) => (output += Buffer.from(data).toString()));
    shell.onEnd((message) => (ended = message));
    shell.write(Buffer.from('stty size; echo "$((40 + 2))-$HOME"; exit 3\n'));
    await eventually(
      () => ended,
      (message) => message !== '',
    );

    assert.match(output, new RegExp(`24 80\\s+42-${folder}`));
    assert.match(ended, /3/);
    assert.equal(person.held(), 0);
  });

  test('if the person signs out, transfers and shells end with the sentence, and the process ends', async () => {
    const other = await startPerson(folder);
    const files = createPersonFiles('/', other.acquire);
    const upload = await files.create({ path: '/late', size: 10, replace: false });
    await upload.write(0, Buffer.alloc(5));
    writeFileSync(join(folder, 'there'), 'text');
    const download = await files.open('/there');
    const shell = await openRemoteShell(other.acquire, { columns: 80, rows: 24 });
    let ended = '';
    shell.onData(() => {});
    shell.onEnd((message) => (ended = message));

    other.close();
    const refusals = await Promise.all([
      messageOf(upload.write(5, Buffer.alloc(5))),
      messageOf(download.read(0, 4)),
      messageOf(files.list('/')),
    ]);
    await Promise.all([upload.discard(), upload.close(), download.close()]);
    const [code] = (await other.ended) as [number];

    assert.deepEqual([ended, ...refusals], Array(4).fill(signedOut));
    assert.equal(code, 0);
    assert.deepEqual(readFileSync(join(folder, 'there'), 'utf8'), 'text');
  });
});

/** A process that answers with these methods. */
function connectTo(methods: Methods, further: Methods = {}) {
  const [toPerson, fromPerson] = [new PassThrough(), new PassThrough()];
  const { objects, emit } = serveObjects(createMessageChannel(toPerson, fromPerson));
  objects.set(mainObject, methods);
  objects.set(1, further);
  const channel = createMessageChannel(fromPerson, toPerson);
  const connection = {
    objects: createRemoteObjects(channel, { closed: () => signedOut, silent: 'It does not answer.' }),
    whyClosed: () => signedOut,
    onClose: channel.onClose,
    close: channel.close,
  };
  const acquire: AcquirePerson = async () => ({ value: connection, release: () => {} });
  return { acquire, emit };
}

const filesOf = (methods: Methods, further: Methods = {}) =>
  createPersonFiles('/', connectTo(methods, further).acquire);

test('a process that sends on while its shell is paused is ended', async () => {
  // Less than what closes the channel of the sender.
  const [mebibyte, sent] = [new Uint8Array(1_024 * 1_024), 12];
  const { acquire, emit } = connectTo({ shell: () => {} });
  const shell = await openRemoteShell(acquire, { columns: 80, rows: 24 });
  let [received, ended] = [0, ''];
  shell.onData((data) => (received += data.length));
  shell.onEnd((message) => (ended = message));

  shell.pause();
  for (let count = 0; count < sent; count += 1) emit(1, 'data', mebibyte);
  await eventually(() => ended, Boolean, 10_000);

  assert.equal(ended, signedOut);
  assert.ok(received < sent * mebibyte.length, `${received} bytes were received`);
});

test('what a process says that a person controls is checked', async () => {
  const entry = { name: 'a', kind: 'file', size: 1, time: 1, writable: true };
  const invalid = 'The helper on the desktop of the device sent something that is not valid.';
  const pages = [
    null,
    { entries: [entry], more: 'no', total: 1 },
    { entries: [entry], more: false, total: -1 },
    { entries: Array.from({ length: 1_001 }, () => entry), more: false, total: 1_001 },
    ...['', '.', '..', 'a/b', 'a\0', 'x'.repeat(1_025), 7].map((name) => ({
      entries: [{ ...entry, name }],
      more: false,
      total: 1,
    })),
    { entries: [{ ...entry, kind: 'door' }], more: false, total: 1 },
    { entries: [{ ...entry, size: 0.5 }], more: false, total: 1 },
  ];
  for (const page of pages) assert.equal(await messageOf(filesOf({ list: () => page }).list('/')), invalid);
  const long = filesOf({ open: () => ({ size: 9, time: 0 }) }, { read: () => new Uint8Array(5) });
  const opened = await long.open('/x');
  const upload = { path: '/x', size: 5, replace: false };

  assert.equal(await messageOf(opened.read(0, 4)), invalid);
  assert.equal(await messageOf(filesOf({ open: () => ({ size: -1, time: 0 }) }).open('/x')), invalid);
  assert.equal(await messageOf(filesOf({ create: () => ({ from: 6 }) }).create(upload)), invalid);
});
