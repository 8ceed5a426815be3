/** Removes a folder that is far deeper than the longest path, and prints what is left. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { startFilesFixture } from '../../../kit/agent/files-fixture.ts';

const [root, depth] = [process.argv[2]!, Number(process.argv[3])];
process.chdir(root);
for (let level = 0; level < depth; level += 1) {
  const name = level === 0 ? 'deep' : `level-${level}`;
  mkdirSync(name);
  process.chdir(name);
  writeFileSync('file', '');
}
process.chdir(root);

const one = startFilesFixture(root);
await one.ask({ do: 'remove', id: 1, path: '/deep' });
console.log(JSON.stringify({ answers: one.answers(1), left: readdirSync(root) }));
