/** Native modules inside the single-file build: unpacked to a private folder on first use, and loaded only if unchanged. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { getAssetKeys, getRawAsset } from 'node:sea';
import { agentFolder, folderVariable, windowsProgramPath } from '../folder.ts';
import { isPrivateFolder } from './private-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The name of their folder in the agent's folder. */
export const nativeFolderName = 'native';

const ownerOnly = 0o700;
/** Windows cannot replace or delete a file that is read-only. */
const readAndRun = process.platform === 'win32' ? 0o700 : 0o500;

/** Returns the exports of a native module. `libraryNames`: libraries that it expects in its own folder. */
export function loadAsset(name: string, libraryNames: readonly string[]): unknown {
  const libraries = libraryNames.filter((each) => getAssetKeys().includes(each));
  const assets = new Map([name, ...libraries].map((each) => [each, Buffer.from(getRawAsset(each))]));
  const module = { exports: {} };
  process.dlopen(module, join(unpack(name, assets), name));
  return module.exports;
}

/** Returns the path of an unpacked library. Undefined if the executable was built without it. */
export function unpackLibrary(name: string): string | undefined {
  if (!getAssetKeys().includes(name)) return undefined;
  return join(unpack(name, new Map([[name, Buffer.from(getRawAsset(name))]])), name);
}

type Assets = ReadonlyMap<string, Buffer>;

let fallbackFolder: string | undefined;

/** Returns the folder of the unpacked files. */
function unpack(name: string, assets: Assets): string {
  try {
    return unpackInto(privateFolder(join(parentFolder(), nativeFolderName)), name, assets);
  } catch {
    // The folder may be read-only or belong to another user.
    return unpackInto((fallbackFolder ??= temporaryFolder()), name, assets);
  }
}

/**
 * On Windows any user could have created the agent's folder, so they are kept beside the installed program: the service and
 * each version of the agent have their own, because Windows cannot remove what another process has loaded.
 */
function parentFolder(): string {
  if (process.platform !== 'win32' || process.env[folderVariable]) return agentFolder();
  if (!process.execPath.startsWith(`${dirname(windowsProgramPath())}\\`))
    throw new Error('The program is not installed.');
  return dirname(process.execPath);
}

/** No other user may be able to put a file there, because the agent would load it. */
function privateFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: ownerOnly });
  if (!isPrivateFolder(folder)) throw new Error(`${folder} can be changed by another user`);
  const { uid } = lstatSync(folder);
  if (process.getuid && uid !== process.getuid()) throw new Error(`${folder} belongs to another user`);
  if (process.platform !== 'win32') chmodSync(folder, ownerOnly);
  return folder;
}

/** The folder's name contains a hash of its content, so that each version of the agent finds its own. Older ones are removed. */
export function unpackInto(parent: string, name: string, assets: Assets): string {
  const content = hashOf(Buffer.concat([...assets.values()])).slice(0, 32);
  const folder = join(parent, `${name}-${content}`);
  for (const old of readdirSync(parent))
    if (old.startsWith(`${name}-`) && old !== `${name}-${content}`)
      rmSync(join(parent, old), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: ownerOnly });
  for (const [each, asset] of assets) writeAsset(join(folder, each), asset);
  return folder;
}

/** Keeps a file that is unchanged, and replaces any other. */
function writeAsset(file: string, asset: Buffer): void {
  const expected = hashOf(asset);
  if (isUnchanged(file, expected)) return;
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, asset, { mode: readAndRun, flag: 'wx' });
  renameSync(`${file}.new`, file);
  if (!isUnchanged(file, expected)) throw new Error(`${file} does not hold what was written`);
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function isUnchanged(file: string, expected: string): boolean {
  try {
    return lstatSync(file).isFile() && hashOf(readFileSync(file)) === expected;
  } catch {
    return false;
  }
}
