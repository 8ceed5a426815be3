/** Finds exported names that are defined in several files, and the kinds of files that may share names. */
import { dirname } from 'node:path';

const exportPattern =
  /^export (?:async |declare |abstract )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

const exportedNamesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(exportPattern)].map(([, name = '']) => name)),
];

/** Folders whose files implement the same interface for different platforms. */
const adapterFolders = [
  [
    'agent/src/platform/linux/x11',
    'agent/src/platform/linux/vnc',
    'agent/src/platform/linux/wayland/wlroots',
  ],
  ['session/src/browser', 'session/src/node'],
];

/** Folders that implement the same interface for different systems, in folders of their own. */
const systemFolders = ['agent/src/platform/linux/', 'agent/src/platform/windows/'];

/** Each file is one entry of a table that imports it; nothing else does. */
const ownNamespaces = [
  'server/src/store/engine/migrations/',
  // Generated from the contract: types of the API that the contract holds as schemas.
  'sdk/src/operations.ts',
];

const areAdapters = (files: readonly string[]): boolean =>
  adapterFolders.some(
    (folders) =>
      files.every((file) => folders.includes(dirname(file))) &&
      new Set(files.map((file) => dirname(file))).size === files.length,
  );

/** Each system has the name once, or in adapters of its own. */
function areSystems(files: readonly string[]): boolean {
  const groups = systemFolders.map((folder) => files.filter((file) => file.startsWith(folder)));
  const isComplete = groups.flat().length === files.length;
  return isComplete && groups.every((group) => group.length === 1 || areAdapters(group));
}

/** Exported names that are defined in several files, except those of files that may share names. */
export function sharedNames(texts: ReadonlyMap<string, string>): string[] {
  const filesByName = new Map<string, string[]>();
  for (const [file, text] of texts)
    if (!ownNamespaces.some((path) => file.startsWith(path)))
      for (const name of exportedNamesIn(text))
        filesByName.set(name, [...(filesByName.get(name) ?? []), file]);
  return [...filesByName]
    .filter(([, files]) => files.length > 1 && !areAdapters(files) && !areSystems(files))
    .map(([name, files]) => `${name}: ${files.join(', ')}`);
}
