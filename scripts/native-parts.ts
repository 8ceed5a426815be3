/** The native modules of the agent: where they are for each system, and how the executable finds them inside itself. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Node's names of system and architecture. */
export interface TargetPlatform {
  platform: string;
  arch: string;
}

interface NativePart {
  /** Node's names of the systems that need it; absent for all. */
  systems?: readonly string[];
  /** The package, and the file in its folder. */
  place(machine: TargetPlatform): { package: string; file: string };
  /** Libraries that it needs in the same folder, on the systems that have them. */
  beside?: readonly string[];
  /** Replaces imports of `path` from files that match `by` with this expression; `part` is the export of the native file. */
  replaces: { path: RegExp; by?: RegExp; with: string };
}

const parts: Record<string, NativePart> = {
  'koffi.node': {
    place: ({ platform, arch }) => ({
      package: `@koromix/koffi-${platform}-${arch}`,
      file: `${platform}_${arch}/koffi.node`,
    }),
    replaces: { path: /^koffi$/, with: 'part' },
  },
  'jpeg.node': {
    place: ({ platform, arch }) => ({
      package: '@julusian/jpeg-turbo',
      file: `prebuilds/jpeg-turbo-${platform}-${arch}/node-napi-v10.node`,
    }),
    beside: ['libturbojpeg.so.0'],
    replaces: { path: /^pkg-prebuilds$/, by: /jpeg-turbo/, with: '() => part' },
  },
  'pty.node': {
    systems: ['linux', 'darwin'],
    place: ({ platform, arch }) => ({ package: `@lydell/node-pty-${platform}-${arch}`, file: 'pty.node' }),
    replaces: { path: /requireBinary$/, by: /node-pty/, with: '{ requireBinary: () => part }' },
  },
  'datachannel.node': {
    place: ({ platform, arch }) => ({
      package: `@node-datachannel/${platform}-${arch}${{ linux: '-gnu', win32: '-msvc' }[platform] ?? ''}`,
      file: 'node_datachannel.node',
    }),
    // It is imported by a module of Node, for which `default` is the whole export.
    replaces: { path: /node-datachannel\.[cm]js$/, by: /node-datachannel/, with: 'part' },
  },
};

/** The packages with the native modules of a system. */
export const nativePackages = (machine: TargetPlatform): string[] =>
  Object.values(parts)
    .filter(({ systems }) => systems?.includes(machine.platform) ?? true)
    .map(({ place }) => place(machine).package);

/** The files of a system by their name inside the executable, without those that are not installed on this machine. */
export function nativeFiles(
  machine: TargetPlatform,
  folderOf: (packageName: string) => string | undefined,
): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [name, { place, beside = [] }] of Object.entries(parts)) {
    const { package: packageName, file: inside } = place(machine);
    const file = join(folderOf(packageName) ?? '', inside);
    if (!existsSync(file)) continue;
    files[name] = file;
    for (const library of beside.map((each) => join(dirname(file), each)))
      if (existsSync(library)) files[basename(library)] = library;
  }
  return files;
}

/** Makes the executable load native modules from the folder where it unpacks them. */
export const carryNativeParts: Plugin = {
  name: 'carry-native-parts',
  setup({ onResolve, onLoad, initialOptions }) {
    for (const [name, { replaces }] of Object.entries(parts))
      onResolve({ filter: replaces.path }, ({ importer }) =>
        !replaces.by || replaces.by.test(importer) ? { path: name, namespace: 'native' } : undefined,
      );
    onLoad({ filter: /.*/, namespace: 'native' }, ({ path }) => ({
      contents: replacementModule(path, parts[path]!),
      resolveDir: initialOptions.absWorkingDir!,
    }));
  },
};

const replacementModule = (name: string, { beside = [], replaces }: NativePart): string => `
  const { loadAsset } = require('./agent/src/platform/native-assets.ts');
  const part = loadAsset('${name}', ${JSON.stringify(beside)});
  module.exports = ${replaces.with};`;
