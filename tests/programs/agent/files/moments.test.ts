/**
 * Files in a session when another user replaces a folder with a link at every possible moment: before every
 * file system call.
 */
import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { beforeFileCall } from '../../../kit/agent/before-file-call.ts';
import { uploadTo, startFilesFixture, type FilesFixture } from '../../../kit/agent/files-fixture.ts';
import { giveToOtherUser } from '../../../kit/agent/local-user.ts';

let place = '';
before(() => (place = mkdtempSync(join(tmpdir(), 'drawbridge-moments-'))));
after(() => rmSync(place, { recursive: true }));

/** The same in the other user's folder and elsewhere, except for its content. */
const names = ['deep/file', 'file', 'inner/deep/file', 'inner/file'];

function fill(folder: string, text: string): void {
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const content = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();

interface FolderFixture {
  one: FilesFixture;
  victim: string;
  /** What the other user does. */
  lead(folder: string): void;
}

/** `/theirs/work` belongs to another user, with a folder inside. */
function open(number: string): FolderFixture {
  const root = join(place, number);
  const [theirs, victim] = [join(root, 'theirs'), join(root, 'victim')];
  fill(victim, 'precious');
  writeFileSync(join(victim, 'inner/secret'), 'precious');
  fill(join(theirs, 'work'), 'inside');
  giveToOtherUser(theirs);
  return {
    one: startFilesFixture(root),
    victim,
    lead(folder) {
      const path = join(theirs, folder);
      try {
        renameSync(path, `${path}-aside`);
      } catch {
        return; // It is already gone.
      }
      symlinkSync(folder === 'work' ? victim : join(victim, 'inner'), path);
      giveToOtherUser(path);
    },
  };
}

const requests: Record<string, (one: FilesFixture) => Promise<unknown>> = {
  'a folder is listed': (one) => one.ask({ do: 'list', id: 1, path: '/theirs/work/inner' }),
  'a file is downloaded': async function (one) {
    await one.ask({ do: 'get', id: 1, path: '/theirs/work/inner/file', from: 0 });
    if (one.answers(1)[0]?.is === 'get') await one.answer(1, 'sent');
  },
  'a file is uploaded': (one) => uploadTo(one, 1, { path: '/theirs/work/inner/new' }, Buffer.from('new')),
  'a file is replaced': (one) =>
    uploadTo(one, 1, { path: '/theirs/work/inner/file', replace: true }, Buffer.from('new')),
  'a folder is created': (one) => one.ask({ do: 'folder', id: 1, path: '/theirs/work/inner/new' }),
  'a file is moved': (one) =>
    one.ask({ do: 'rename', id: 1, path: '/theirs/work/inner/file', to: '/theirs/work/inner/new' }),
  'a folder is moved': (one) =>
    one.ask({ do: 'rename', id: 1, path: '/theirs/work/inner/deep', to: '/theirs/work/inner/new' }),
  'a file is removed': (one) => one.ask({ do: 'remove', id: 1, path: '/theirs/work/inner/file' }),
  'a folder is removed': (one) => one.ask({ do: 'remove', id: 1, path: '/theirs/work' }),
};

for (const [action, request] of Object.entries(requests))
  for (const folder of ['work', 'work/inner'])
    test(`while ${action}, a link in place of ${folder} is not followed`, async () => {
      const begin = (moment: number): FolderFixture =>
        open(`${action}-${folder}-${moment}`.replaceAll('/', '-'));
      /** Returns how many calls there were. */
      const exchangeBefore = async (moment: number, { one, lead }: FolderFixture): Promise<number> => {
        using calls = beforeFileCall(moment, () => lead(folder));
        await request(one);
        await one.part.stop();
        return calls.calls();
      };
      const undisturbed = begin(0);
      const last = await exchangeBefore(0, undisturbed);
      assert.notEqual(undisturbed.one.answers(1).at(-1)?.is, 'failed');

      for (let moment = 1; moment <= last; moment += 1) {
        const fixture = begin(moment);
        const precious = content(fixture.victim);
        await exchangeBefore(moment, fixture);

        const why = `before call ${moment} of ${last}`;
        assert.deepEqual(content(fixture.victim), precious, why);
        for (const name of names)
          assert.equal(readFileSync(join(fixture.victim, name), 'utf8'), 'precious', why);
        for (const { data } of fixture.one.featureContext.pieces('file_bytes'))
          assert.equal(Buffer.from(data).toString(), 'inside', why);
        assert.ok(!JSON.stringify(fixture.one.answers(1)).includes('secret'), why);
      }
    });
