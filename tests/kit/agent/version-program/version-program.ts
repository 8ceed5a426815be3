/** A small program for Windows that prints its version, with which tests under Wine make releases. */
import { readFileSync } from 'node:fs';

/** Names the program that `build-version-program.ts` has built. */
export const versionProgramVariable = 'DRAWBRIDGE_TEST_VERSION_PROGRAM';
const mark = 'VERSION:';
const fillerBytes = 450_000;

/** The program with this version; long, so that downloads take several reads. */
export function versionProgramOf(version: string): Buffer {
  const program = readFileSync(process.env[versionProgramVariable]!);
  program.write(`${version}\0`, program.indexOf(mark) + mark.length);
  return Buffer.concat([program, Buffer.alloc(fillerBytes, `filler of ${version}\n`)]);
}
