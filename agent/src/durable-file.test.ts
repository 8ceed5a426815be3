/** How programs are copied: what others can see of an unfinished copy, and what is left of one. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { copyProgram, removeUnfinished } from './durable-file.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'drawbridge-copy-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (file: string): number => statSync(file).mode & 0o777;

/** The modes of everything that others find in the folder while the program is copied. */
async function modesDuring(copying: Promise<void>): Promise<Set<number>> {
  const modes = new Set<number>();
  const done = copying.then(() => true);
  while (!(await Promise.race([done, nextTurn(false)])))
    for (const name of readdirSync(folder))
      modes.add(statSync(join(folder, name), { throwIfNoEntry: false })?.mode ?? 0);
  return modes;
}

test(
  'nobody else can reach a copy before it has its own mode',
  { skip: process.platform === 'win32' && 'access lists protect it there' },
  async () => {
    const program = join(folder, 'program');
    const [privateFolder, finished] = [0o040_700, 0o100_744];

    const modes = await modesDuring(copyProgram(process.execPath, program, 0o744));

    assert.ok(modes.has(privateFolder), 'the copy was seen unfinished');
    assert.deepEqual(
      [...modes].filter((mode) => mode !== 0 && mode !== privateFolder),
      modes.has(finished) ? [finished] : [],
    );
    assert.equal(modeOf(program), 0o744);
  },
);

test('a copy keeps the time of the last change, and leaves nothing beside it', async () => {
  const program = join(folder, 'program');

  await copyProgram(process.execPath, program, 0o755);

  assert.deepEqual(readdirSync(folder), ['program']);
  assert.equal(statSync(program).size, statSync(process.execPath).size);
  assert.equal(statSync(program).mtimeMs, Math.floor(statSync(process.execPath).mtimeMs / 1_000) * 1_000);
});

test('a copy that fails leaves the program as it was, and nothing beside it', async () => {
  const program = join(folder, 'program');
  writeFileSync(program, 'as it was');

  await assert.rejects(copyProgram(join(folder, 'missing'), program, 0o755), /ENOENT/);

  assert.deepEqual(readdirSync(folder), ['program']);
});

test('unfinished copies of one program are removed, and nothing else', () => {
  const names = ['program.new-1', 'program.new-2', 'other.new-1', 'program', 'program.part'];
  for (const name of names) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'program.new-1', 'program'), '');

  removeUnfinished(join(folder, 'program'));

  assert.deepEqual(
    names.map((name) => existsSync(join(folder, name))),
    [false, false, true, true, true],
  );
});

test('copies that earlier versions of the agent have not finished are removed, and nothing else', () => {
  const uuid = '6f0f4c3e-52a5-4f0c-9d3a-7b3f5a9e1c2d';
  const names = ['program.new', `program.${uuid}.new`, 'program.news', 'program.a.new', `other.${uuid}.new`];
  for (const name of names) writeFileSync(join(folder, name), '');

  removeUnfinished(join(folder, 'program'));

  assert.deepEqual(readdirSync(folder).toSorted(), names.slice(2).toSorted());
});
