/** Uploads and renames files where the system refuses hard links, and prints the outcome. */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadTo, startFilesFixture } from '../../../kit/agent/files-fixture.ts';
import { refuseHardLinks } from '../../../kit/agent/refuse-hard-links.ts';

const root = process.argv[2]!;
await writeFile(join(root, 'taken'), 'stays');
await writeFile(join(root, 'old'), 'moved');
refuseHardLinks();

const one = startFilesFixture(root);
const brought = await uploadTo(one, 1, { path: '/brought' }, Buffer.from('brought'));
const begun = await uploadTo(one, 2, { path: '/taken' }, Buffer.from('other'));
// Another program creates a file of that name during the upload.
await one.ask({ do: 'put', id: 3, path: '/late', size: 1, replace: false });
await writeFile(join(root, 'late'), 'first');
one.bytes(3, 0, Buffer.from('x'));
await one.ask({
  do: 'finish',
  id: 3,
  sha256: '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',
});
await one.ask({ do: 'rename', id: 4, path: '/old', to: '/new' });
await one.ask({ do: 'rename', id: 5, path: '/new', to: '/taken' });

const names = (await readdir(root)).toSorted();
const texts = await Promise.all(names.map((name) => readFile(join(root, name), 'utf8')));
const last = [3, 4, 5].map((id) => one.answers(id).at(-1));
console.log(JSON.stringify({ answers: [brought, begun, ...last].map((word) => word?.is), names, texts }));
