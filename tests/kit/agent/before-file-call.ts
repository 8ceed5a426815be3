/** Runs an action between two file system calls, so that a test need not hope for the right moment. */
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const names = [
  'access',
  'link',
  'lstat',
  'mkdir',
  'open',
  'opendir',
  'readdir',
  'readlink',
  'rename',
  'rm',
  'rmdir',
  'stat',
  'unlink',
] as const;

type Call = (...values: unknown[]) => unknown;

/**
 * Runs the action right before the file system call with this number (from 1), counted over all calls of this
 * process until disposed.
 */
export function beforeFileCall(number: number, act: () => void): { calls(): number } & Disposable {
  const calls = promises as unknown as Record<string, Call>;
  const real = names.map((name) => [name, calls[name]!] as const);
  let count = 0;
  for (const [name, call] of real)
    calls[name] = (...values) => {
      if ((count += 1) === number) act();
      return call(...values);
    };
  syncBuiltinESMExports();
  return {
    calls: () => count,
    [Symbol.dispose]() {
      for (const [name, call] of real) calls[name] = call;
      syncBuiltinESMExports();
    },
  };
}
