/** Removes a folder into which a disk is mounted, hides /proc and looks again; says what came of each. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFiles } from '../kit/files-part.ts';

const root = process.argv[2]!;
mkdirSync(join(root, 'work/disk'), { recursive: true });
execFileSync('mount', ['-t', 'tmpfs', 'none', join(root, 'work/disk')]);
writeFileSync(join(root, 'work/disk/file'), '');

const one = startFiles(root);
await one.ask({ do: 'remove', id: 1, path: '/work' });
const kept = readdirSync(join(root, 'work/disk'));
execFileSync('mount', ['-t', 'tmpfs', 'none', '/proc']);
const other = startFiles(root);
await other.ask({ do: 'list', id: 2, path: '/' });
console.log(JSON.stringify({ answers: [...one.answers(1), ...other.answers(2)], kept }));
