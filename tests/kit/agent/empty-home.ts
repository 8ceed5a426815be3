/** Shells that tests open get an empty home folder: they do not run the profile of the person who runs the tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';

/** For use inside `describe`. */
export function useEmptyHome(): void {
  const previous = process.env['HOME'];
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-home-'));
  before(() => void (process.env['HOME'] = folder));
  after(() => {
    process.env['HOME'] = previous;
    rmSync(folder, { recursive: true, force: true });
  });
}
