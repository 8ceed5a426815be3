/**
 * Removes folders into which a disk, and another folder of the same disk, are mounted, hides /proc and tries
 * again; prints each outcome.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFilesFixture } from '../../../kit/agent/files-fixture.ts';

const root = process.argv[2]!;
const at = (path: string): string => join(root, path);
for (const folder of ['work/disk', 'chroot/home', 'homes', 'bound'])
  mkdirSync(at(folder), { recursive: true });
execFileSync('mount', ['-t', 'tmpfs', 'none', at('work/disk')]);
for (const place of ['chroot/home', 'bound']) execFileSync('mount', ['--bind', at('homes'), at(place)]);
for (const folder of ['work/disk', 'homes']) writeFileSync(at(`${folder}/file`), '');

const one = startFilesFixture(root);
const removed = ['/work', '/chroot', '/bound'];
for (const [index, path] of removed.entries()) await one.ask({ do: 'remove', id: index + 1, path });
const kept = ['work/disk', 'homes'].map((folder) => readdirSync(at(folder)));
execFileSync('mount', ['-t', 'tmpfs', 'none', '/proc']);
const other = startFilesFixture(root);
await other.ask({ do: 'list', id: 4, path: '/' });
const answers = [1, 2, 3].flatMap((id) => one.answers(id));
console.log(JSON.stringify({ answers: [...answers, ...other.answers(4)], kept }));
