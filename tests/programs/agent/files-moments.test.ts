/** Files in a session when another user puts a link in the place of a folder, at each moment there is: before every call of the file system. */
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
import { beforeFileCall } from '../../kit/agent/before-file-call.ts';
import { uploadTo, startFilesFixture, type FilesFixture } from '../../kit/agent/files-fixture.ts';
import { giveToOtherUser } from '../../kit/agent/local-user.ts';

let place = '';
before(() => (place = mkdtempSync(join(tmpdir(), 'drawbridge-moments-'))));
after(() => rmSync(place, { recursive: true }));

/** The same in the other user's folder and elsewhere, but for its content. */
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

/** `/theirs/work` is another user's, with a folder inside. */
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
        return; // it is gone already
      }
      symlinkSync(folder === 'work' ? victim : join(victim, 'inner'), path);
      giveToOtherUser(path);
    },
  };
}

const wishes: Record<string, (one: FilesFixture) => Promise<unknown>> = {
  'a folder is looked into': (one) => one.ask({ do: 'list', id: 1, path: '/theirs/work/inner' }),
  'a file is fetched': async function (one) {
    await one.ask({ do: 'get', id: 1, path: '/theirs/work/inner/file', from: 0 });
    if (one.answers(1)[0]?.is === 'get') await one.answer(1, 'sent');
  },
  'a file is brought': (one) => uploadTo(one, 1, { path: '/theirs/work/inner/new' }, Buffer.from('new')),
  'a file is replaced': (one) =>
    uploadTo(one, 1, { path: '/theirs/work/inner/file', replace: true }, Buffer.from('new')),
  'a folder is made': (one) => one.ask({ do: 'folder', id: 1, path: '/theirs/work/inner/new' }),
  'a file is moved': (one) =>
    one.ask({ do: 'rename', id: 1, path: '/theirs/work/inner/file', to: '/theirs/work/inner/new' }),
  'a folder is moved': (one) =>
    one.ask({ do: 'rename', id: 1, path: '/theirs/work/inner/deep', to: '/theirs/work/inner/new' }),
  'a file is removed': (one) => one.ask({ do: 'remove', id: 1, path: '/theirs/work/inner/file' }),
  'a folder is removed': (one) => one.ask({ do: 'remove', id: 1, path: '/theirs/work' }),
};

for (const [says, wish] of Object.entries(wishes))
  for (const folder of ['work', 'work/inner'])
    test(`while ${says}, a link in the place of ${folder} leads nowhere`, async () => {
      const begin = (moment: number): FolderFixture =>
        open(`${says}-${folder}-${moment}`.replaceAll('/', '-'));
      /** Tells how many calls there were. */
      const exchangeBefore = async (moment: number, { one, lead }: FolderFixture): Promise<number> => {
        using calls = beforeFileCall(moment, () => lead(folder));
        await wish(one);
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
