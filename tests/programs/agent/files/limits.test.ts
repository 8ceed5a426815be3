/**
 * Files in a session that are made to exhaust or block the agent: endless folders, names that are not text,
 * pipes, growing files.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '../../../kit/eventually.ts';
import {
  downloadFrom,
  sha256Hex,
  startFilesFixture,
  type FilesFixture,
} from '../../../kit/agent/files-fixture.ts';

const run = promisify(execFile);
const asRoot = process.getuid?.() !== 0 && 'only root can mount';

let place = '';
let root = '';
let number = 0;
before(async () => (place = await mkdtemp(join(tmpdir(), 'drawbridge-limits-'))));
beforeEach(async () => {
  root = join(place, String((number += 1)));
  await mkdir(root);
});
after(() => rm(place, { recursive: true }));

const start = (): FilesFixture => startFilesFixture(root);
const programFile = (name: string): string => join(import.meta.dirname, `${name}-program.ts`);

describe('a folder', () => {
  test('far deeper than files may be open is removed completely, with few of them open', async () => {
    const few = `ulimit -n 220 && exec "$0" "$@"`;
    const { stdout } = await run('sh', [
      '-c',
      few,
      process.execPath,
      programFile('deep-folder'),
      root,
      '900',
    ]);

    assert.deepEqual(JSON.parse(stdout), { answers: [{ is: 'done', id: 1 }], left: [] });
  });

  test('at the end of a path of hundreds is not opened, and leaves none open', async () => {
    await mkdir(join(root, 'a/'.repeat(200)), { recursive: true });
    const open = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
    const one = start();
    await one.ask({ do: 'list', id: 1, path: '/' });
    const opened = await open();

    await one.ask({ do: 'list', id: 2, path: `/${'a/'.repeat(200)}` });

    assert.deepEqual(one.answers(2), [
      { is: 'failed', id: 2, message: 'The path has too many levels of folders.' },
    ]);
    assert.equal(await open(), opened);
  });

  test('with names that are not text, and with pipes, is removed completely', async () => {
    await mkdir(join(root, 'odd'));
    const odd = (...bytes: number[]): Buffer =>
      Buffer.concat([Buffer.from(join(root, 'odd/x')), Buffer.from(bytes)]);
    await writeFile(odd(0xff), '');
    await mkdir(odd(0xfe));
    await writeFile(odd(0xfe, 0x2f, 0xfd), '');
    execFileSync('mkfifo', [join(root, 'odd/pipe')]);
    const one = start();

    await one.ask({ do: 'remove', id: 1, path: '/odd' });

    assert.deepEqual([one.answers(1), await readdir(root)], [[{ is: 'done', id: 1 }], []]);
  });

  test('is moved to no existing name, not even of an empty folder, nor into itself', async () => {
    for (const name of ['one/inner', 'other']) await mkdir(join(root, name), { recursive: true });
    const one = start();

    await one.ask({ do: 'rename', id: 1, path: '/one', to: '/other' });
    await one.ask({ do: 'rename', id: 2, path: '/one', to: '/one/inner/one' });

    assert.deepEqual(
      [1, 2].flatMap((id) => one.answers(id)),
      [
        { is: 'failed', id: 1, message: 'A file or folder with that name already exists.' },
        { is: 'failed', id: 2, message: 'A folder cannot be moved into itself.' },
      ],
    );
    assert.deepEqual((await readdir(root, { recursive: true })).toSorted(), ['one', 'one/inner', 'other']);
  });

  test(
    'keeps a disk or folder that is mounted inside it; and without /proc nothing is done',
    { skip: asRoot },
    async () => {
      const { stdout } = await run('unshare', ['--mount', process.execPath, programFile('mounts'), root]);

      assert.deepEqual(JSON.parse(stdout), {
        answers: [
          ...[1, 2, 3].map((id) => ({
            is: 'failed',
            id,
            message: 'Another disk is mounted in the folder. Its content was not removed.',
          })),
          {
            is: 'failed',
            id: 4,
            message: 'File transfer needs /proc, which the agent cannot access on this device.',
          },
        ],
        kept: [['file'], ['file']],
      });
    },
  );
});

describe('a file', () => {
  test('that is being written to is downloaded as it was when it was opened', async () => {
    const content = Buffer.alloc(3_000_000, 'x');
    await writeFile(join(root, 'log'), content);
    const one = start();
    await one.ask({ do: 'get', id: 1, path: '/log', from: 0 });
    // No more is sent until some is acknowledged.
    await eventually(
      async () => one.featureContext.pieces('file_bytes').length,
      (count) => count >= 1,
    );
    await appendFile(join(root, 'log'), Buffer.alloc(1_000_000, 'y'));

    assert.equal((await downloadFrom(one, 1)).length, content.length);
    assert.deepEqual(one.answers(1).at(-1), { is: 'sent', id: 1, sha256: sha256Hex(content) });
  });

  test('that the system generates as it is read is downloaded completely, with its true size', async () => {
    const one = startFilesFixture('/');

    await one.ask({ do: 'get', id: 1, path: '/proc/self/status', from: 0 });
    const text = (await downloadFrom(one, 1)).toString();

    const [begun] = one.answers(1);
    assert.match(text, /^Name:/);
    assert.ok(begun?.is === 'get' && begun.size === text.length);
  });

  test('that is a pipe is refused without being opened, and removed like any other', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const writer = spawn('sh', ['-c', 'echo ready; echo text > "$0"', join(root, 'pipe')]);
    await once(writer.stdout, 'data');
    const one = start();

    await one.ask({ do: 'get', id: 1, path: '/pipe', from: 0 });
    // The writer still waits for a reader.
    const { stdout } = await run('timeout', ['10', 'cat', join(root, 'pipe')]);
    assert.equal(stdout, 'text\n');
    await one.ask({ do: 'remove', id: 2, path: '/pipe' });

    assert.deepEqual(
      [1, 2].flatMap((id) => one.answers(id)),
      [
        { is: 'failed', id: 1, message: 'Only regular files can be downloaded.' },
        { is: 'done', id: 2 },
      ],
    );
  });
});
