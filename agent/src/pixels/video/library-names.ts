/** Where the libraries for video are: installed with the system on Linux, inside the agent's executable on Windows. */
import { dirname, join } from 'node:path';
import { isSea } from 'node:sea';
import { unpackLibrary } from '../../platform/native-assets.ts';

const isWindows = process.platform === 'win32';

/** It has the functions of both libraries. Outside the executable it is expected beside the script. */
function ownLibrary(): string[] {
  const name = 'vpx.dll';
  const file = isSea() ? unpackLibrary(name) : join(dirname(process.argv[1]!), name);
  return file === undefined ? [] : [file];
}

const vpxVersions = [7, 9, 8, 10, 11, 6];

export const vpxNames = (): string[] =>
  isWindows ? ownLibrary() : vpxVersions.map((version) => `libvpx.so.${version}`);

export const yuvNames = (): string[] => (isWindows ? ownLibrary() : ['libyuv.so.0', 'libyuv.so']);
