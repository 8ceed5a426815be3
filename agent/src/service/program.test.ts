/** What an installation that was killed leaves in the slots, with the program of this process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fillSlot } from './program.ts';

const program = process.platform === 'win32' ? 'drawbridge-agent.exe' : 'drawbridge-agent';

const filesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** Ends an installation in the middle of its copy, as a power failure would. */
async function killInstallation(folder: string): Promise<void> {
  const script = `const { fillSlot } = await import('${new URL('program.ts', import.meta.url).href}');
    await fillSlot(process.argv[1]);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  const slot = join(folder, 'slots/a');
  while (filesIn(slot).flatMap((name) => filesIn(join(slot, name))).length === 0) await nextTurn();
  child.kill('SIGKILL');
  await ended;
}

test('an installation removes what killed ones have left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-slots-'));
  const slot = join(folder, 'slots/a');
  await killInstallation(folder);
  const left = filesIn(slot);

  await fillSlot(folder);
  const found = filesIn(slot);
  const { size } = statSync(join(slot, program));
  rmSync(folder, { recursive: true });

  assert.equal(left.length, 1);
  assert.deepEqual(found, [program]);
  assert.equal(size, statSync(process.execPath).size);
});
