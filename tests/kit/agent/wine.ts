/** A Windows system under Wine, with its own disk and registry, which ends with everything that runs in it. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boundToParent, followProcess, type Program } from '../process.ts';

const script = join(import.meta.dirname, '../../../scripts/windows/wine');

export interface WineSystem extends AsyncDisposable {
  /** Starts a Windows program; `env` is all of its environment besides what Wine needs. */
  start(program: string, args: readonly string[], env?: Record<string, string>): Program;
  /** Runs a Windows program to its end; rejects if it fails. */
  run(program: string, args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** The folder of this machine that is drive C. */
  driveC: string;
  /** Ends everything that runs in it. */
  turnOff(): void;
  /** Starts the services that start at boot. Without this, Wine ends them with the last program. */
  turnOn(): void;
}

/** Needs root. */
export function openWine(): WineSystem {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-wine-'));
  const variables = { PATH: process.env['PATH']!, WINEPREFIX: join(folder, 'prefix') };
  const cache = process.env['DRAWBRIDGE_CACHE'];
  const environment = { ...variables, ...(cache && { DRAWBRIDGE_CACHE: cache }) };
  const start: WineSystem['start'] = (program, args, env = {}) =>
    followProcess(
      spawn(...boundToParent(script, [program, ...args]), {
        cwd: folder,
        env: { ...environment, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  const turnOff = (): void => {
    spawnSync(script, ['--stop'], { env: environment, stdio: 'ignore' });
  };
  return {
    start,
    async run(...command) {
      const program = start(...command);
      const code = await program.gone;
      if (code !== 0) throw new Error(`${command[0]} ended with ${code}: ${program.output()}`);
      return program.output();
    },
    driveC: join(folder, 'prefix/drive_c'),
    turnOff,
    // A program that does nothing for longer than any test.
    turnOn: () => void start('ping', ['-n', '10000', '127.0.0.1']),
    async [Symbol.asyncDispose]() {
      turnOff();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
