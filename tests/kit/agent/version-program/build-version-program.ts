/** Builds a small program for Windows that prints its version, for tests that run under Wine. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { windowsTargets } from '../duplication/build-double.ts';

/** Returns the path of the program without a version. Needs clang for Windows. */
export function buildVersionProgram(folder: string): string {
  const { triple, machine } = windowsTargets[process.arch as keyof typeof windowsTargets];
  const [program, definition, imports] = ['version.exe', 'kernel32.def', 'libkernel32.a'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(definition, 'LIBRARY kernel32.dll\nEXPORTS\n  ExitProcess\n  GetStdHandle\n  WriteFile\n');
  execFileSync('llvm-dlltool', ['-m', machine, '-d', definition, '-l', imports]);
  const compile = ['-isystem', '/usr/share/mingw-w64/include', '-O1', '-ffreestanding', '-fno-builtin'];
  const link = ['-nostdlib', '-fuse-ld=lld', '-Wl,--entry=start', '-Wl,--subsystem=console', '-o', program];
  const source = join(import.meta.dirname, 'version-program.c');
  execFileSync('clang', [`--target=${triple}`, ...compile, ...link, source, imports]);
  return program;
}
