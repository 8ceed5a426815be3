/** Native parts that the single file carries: written to a folder of the agent's own when first needed, and loaded only if unchanged. */
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
import { join } from 'node:path';
import { getAssetKeys, getRawAsset } from 'node:sea';
import { agentFolder } from '../folder.ts';
import { isPrivateFolder } from './private-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Where they are kept, in the agent's folder. */
export const nativeFolderName = 'native';

const ownerOnly = 0o700;
const readAndRun = 0o500;

/** What a native part exports; `beside`: libraries that it looks for in its own folder. */
export function loadAsset(name: string, beside: readonly string[]): unknown {
  const libraries = beside.filter((each) => getAssetKeys().includes(each));
  const assets = new Map([name, ...libraries].map((each) => [each, Buffer.from(getRawAsset(each))]));
  const module = { exports: {} };
  process.dlopen(module, join(unpack(name, assets), name));
  return module.exports;
}

type Assets = ReadonlyMap<string, Buffer>;

let fallbackFolder: string | undefined;

/** The folder that holds them. */
function unpack(name: string, assets: Assets): string {
  try {
    return unpackInto(privateFolder(join(agentFolder(), nativeFolderName)), name, assets);
  } catch {
    // The state's place may be read-only, or not this user's.
    return unpackInto((fallbackFolder ??= temporaryFolder()), name, assets);
  }
}

/** Nobody else may put a file there that would be loaded. */
function privateFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: ownerOnly });
  if (!isPrivateFolder(folder)) throw new Error(`${folder} can be changed by another user`);
  const { uid } = lstatSync(folder);
  if (process.getuid && uid !== process.getuid()) throw new Error(`${folder} belongs to another user`);
  chmodSync(folder, ownerOnly);
  return folder;
}

/** The folder's name tells its content, so that another version of the agent finds its own; older ones go. */
export function unpackInto(place: string, name: string, assets: Assets): string {
  const content = hashOf(Buffer.concat([...assets.values()])).slice(0, 32);
  const folder = join(place, `${name}-${content}`);
  for (const old of readdirSync(place))
    if (old.startsWith(`${name}-`) && old !== `${name}-${content}`)
      rmSync(join(place, old), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: ownerOnly });
  for (const [each, asset] of assets) writeAsset(join(folder, each), asset);
  return folder;
}

/** Leaves a file alone that is what it should be, and never loads one that is not. */
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
