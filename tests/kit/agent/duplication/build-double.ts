/** Builds the double of desktop duplication as a library for Windows. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const windowsTargets = {
  x64: { triple: 'x86_64-w64-windows-gnu', machine: 'i386:x86-64' },
  arm64: { triple: 'aarch64-w64-windows-gnu', machine: 'arm64' },
} as const;

/** Returns the library's path. Needs clang for Windows. */
export function buildDouble(folder: string): string {
  const { triple, machine } = windowsTargets[process.arch as keyof typeof windowsTargets];
  const [library, definition, imports] = ['double.dll', 'kernel32.def', 'libkernel32.a'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(definition, 'LIBRARY kernel32.dll\nEXPORTS\n  Sleep\n');
  execFileSync('llvm-dlltool', ['-m', machine, '-d', definition, '-l', imports]);
  const compile = ['-isystem', '/usr/share/mingw-w64/include', '-O1', '-ffreestanding', '-fno-builtin'];
  const link = ['-shared', '-nostdlib', '-fuse-ld=lld', '-Wl,--entry=DllMain', '-o', library];
  const source = join(import.meta.dirname, 'double.c');
  execFileSync('clang', [`--target=${triple}`, ...compile, ...link, source, imports]);
  return library;
}
