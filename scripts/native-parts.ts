/** The native parts of the agent: where each system's are, and how the single file finds them inside itself. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** As Node names systems and machines. */
export interface TargetPlatform {
  platform: string;
  arch: string;
}

interface NativePart {
  /** The package it belongs to and, within its folder, the file. */
  place(machine: TargetPlatform): { package: string; file: string };
  /** Libraries that lie in the same folder and that it needs there, on the systems that have them. */
  beside?: readonly string[];
  /** Which import is replaced, by whom it is made, and what stands in its place; `part` is what the file exports. */
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
    place: ({ platform, arch }) => ({ package: `@lydell/node-pty-${platform}-${arch}`, file: 'pty.node' }),
    replaces: { path: /requireBinary$/, by: /node-pty/, with: '{ requireBinary: () => part }' },
  },
  'datachannel.node': {
    place: ({ platform, arch }) => ({
      package: `@node-datachannel/${platform}-${arch}${{ linux: '-gnu', win32: '-msvc' }[platform] ?? ''}`,
      file: 'node_datachannel.node',
    }),
    replaces: {
      path: /node-datachannel\.[cm]js$/,
      by: /node-datachannel/,
      with: '{ __esModule: true, default: part }',
    },
  },
};

/** The files of a system by the name they have inside the single file; without those that are not installed here. */
export function nativeFiles(machine: TargetPlatform): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [name, { place, beside = [] }] of Object.entries(parts)) {
    const file = fileOf(place(machine));
    if (file === undefined) continue;
    files[name] = file;
    for (const library of beside.map((each) => join(dirname(file), each)))
      if (existsSync(library)) files[basename(library)] = library;
  }
  return files;
}

function fileOf({ package: name, file }: { package: string; file: string }): string | undefined {
  try {
    const path = join(dirname(require.resolve(`${name}/package.json`)), file);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** In the single file, native parts are loaded from where it unpacks them. */
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
