/** A folder that receives an upload. */
import { NotPossible } from '../../platform.ts';
import { errorCodeOf } from '../../uploads/readable-errors.ts';
import { isPartialName, partialKeptMs, type UploadFolder } from '../../uploads/upload-folder.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';
import { toOpenFile, type OpenFile } from './descriptor.ts';
import { fileRights, dispositions, hardLinksOf, kindOf, openAt, options, renameTo } from './native-files.ts';
import { openFolder } from './open-folder.ts';
import { requireName } from './path-rules.ts';
import { readFolder } from './read-folder.ts';
import { removeAt } from './remove-tree.ts';

/** Nobody else writes to a file that is being uploaded. */
const shareReadAndDelete = 5;

export async function openUploadFolder(api: WindowsApi, path: string): Promise<UploadFolder<OpenFile>> {
  const folder = await openFolder(api, path);
  return {
    async isTaken(name) {
      requireName(name);
      return isTaken(api, folder, name);
    },
    async openPartial(name) {
      await sweep(api, folder);
      return openPartial(api, folder, name);
    },
    async putInPlace(file, _partial, target, { time, replace }) {
      requireName(target);
      if (time !== undefined) await file.utimes(time);
      await file.sync();
      renameTo(api, file.handle, { folder, name: target, replace });
    },
    removeFile: (name) => removeAt(api, folder, name),
    async [Symbol.asyncDispose]() {
      api.CloseHandle(folder);
    },
  };
}

async function isTaken(api: WindowsApi, folder: Handle, name: string): Promise<boolean> {
  try {
    api.CloseHandle(await openAt(api, folder, name, { rights: 0 }));
    return true;
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error;
    return false;
  }
}

/** A local user can have put a link there, so that the agent would write to another file. */
async function openPartial(api: WindowsApi, folder: Handle, name: string): Promise<OpenFile> {
  const handle = await openAt(api, folder, name, {
    rights: fileRights.read | fileRights.write | fileRights.delete,
    disposition: dispositions.openOrCreate,
    options: options.file,
    share: shareReadAndDelete,
  });
  if (!kindOf(api, handle).isLink && hardLinksOf(api, handle) === 1) return toOpenFile(api, handle);
  api.CloseHandle(handle);
  throw new NotPossible('Another user has put a link where the file would be uploaded to.');
}

/** Limits the work for one upload. */
const maxSwept = 1_000;

/** Removes the partial files of uploads that nobody has resumed. */
async function sweep(api: WindowsApi, folder: Handle): Promise<void> {
  const oldest = (Date.now() - partialKeptMs) / 1_000;
  const names: string[] = [];
  await readFolder(api, folder, ({ name, time }) => {
    if (isPartialName(name) && time < oldest) names.push(name);
    return names.length < maxSwept;
  });
  for (const name of names) await removeAt(api, folder, name).catch(() => {});
}
