/** A Windows system under Wine, with its own disk and registry, which ends with everything that runs in it. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
  /** Ends its processes with this text in their command line, without asking them. */
  kill(commandLine: string): void;
  /** Ends everything that runs in it. */
  turnOff(): void;
  /** Starts the services that start at boot. Without this, Wine ends them with the last program. */
  turnOn(): void;
}

/** The processes of a Windows system, which have its folder in their environment. */
const processesIn = (prefix: string, commandLine: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const read = (file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8');
        return read('cmdline').includes(commandLine) && read('environ').includes(`WINEPREFIX=${prefix}\0`);
      } catch {
        return false; // it has ended
      }
    });

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
    kill(commandLine) {
      for (const pid of processesIn(environment.WINEPREFIX, commandLine)) process.kill(pid, 'SIGKILL');
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

/** Everything that programs can write to, except what Windows itself keeps in its own folder. */
export const filesOn = ({ driveC }: WineSystem): string[] =>
  readdirSync(driveC, { recursive: true, encoding: 'utf8' }).filter((path) => !path.startsWith('windows'));

/** The registry as text. Ends the system, because only then everything is in its files. */
export function registryOf({ driveC, turnOff }: WineSystem): string {
  turnOff();
  return ['system.reg', 'user.reg'].map((name) => readFileSync(join(driveC, '..', name), 'utf8')).join('');
}
