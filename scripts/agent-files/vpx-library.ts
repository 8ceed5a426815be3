/** The VP8 encoder of the agent for Windows, which scripts/windows/build-vpx builds where the machine has the tools. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReleaseFile } from '@drawbridge/contract/uplink/release';

const root = join(import.meta.dirname, '../..');
const script = join(root, 'scripts/windows/build-vpx');

/** Its name inside the executable. */
export const vpxName = 'vpx.dll';
/** Where libraries are kept between builds, in the project. */
export const vpxFolder = 'dist/agent-packages/vpx';

type Arch = ReleaseFile['arch'];

/** The name contains a hash of the script and its files, so that a change of them builds another one. */
function fileOf(arch: Arch): string {
  const hash = createHash('sha256');
  const parts = globSync('scripts/windows/vpx/*', { cwd: root }).toSorted();
  for (const file of [script, ...parts.map((part) => join(root, part))]) hash.update(readFileSync(file));
  return join(root, vpxFolder, `${hash.digest('hex').slice(0, 16)}-${arch}.dll`);
}

/** Path of the library, if an earlier build made it. */
export function findVpx(arch: Arch): string | undefined {
  const file = fileOf(arch);
  return existsSync(file) ? file : undefined;
}

const told = new Set<string>();

/** Builds the library unless that was done before. If it cannot be built, each reason is printed once. */
export function ensureVpx(arch: Arch): void {
  if (findVpx(arch)) return;
  mkdirSync(join(root, vpxFolder), { recursive: true });
  const { status, stderr, error } = spawnSync(script, [arch, fileOf(arch)], { encoding: 'utf8' });
  const reason = stderr?.trim() || error?.message || '';
  if (status === 0 || told.has(reason)) return;
  told.add(reason);
  console.log(`${reason} Agents for Windows will send films as JPEG.`);
}
