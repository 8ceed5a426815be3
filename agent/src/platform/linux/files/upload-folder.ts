/** A folder that receives an upload. */
import { lstat, rename, unlink, type FileHandle } from 'node:fs/promises';
import type { UploadFolder } from '../../uploads/upload-folder.ts';
import { pathWithin } from './handles.ts';
import { openFolder } from './open-beneath.ts';
import { ignoreUnsupported, inheritOwnership } from './ownership.ts';
import { openPartial, type Sweeper } from './partial-names.ts';
import { renameNoReplace } from './rename-no-replace.ts';

export async function openUploadFolder(
  root: string,
  path: string,
  sweeper: Sweeper,
): Promise<UploadFolder<FileHandle>> {
  const folder = await openFolder(root, path);
  const at = (name: string): string => pathWithin(folder, name);
  return {
    isTaken: async (name) => (await lstat(at(name)).catch(() => undefined)) !== undefined,
    async openPartial(name) {
      const handle = await openPartial(at(name));
      await sweeper.sweepOnce(folder);
      return handle;
    },
    async putInPlace(handle, partial, target, { time, replace }) {
      await inheritOwnership(handle, folder, at(target));
      if (time !== undefined) await ignoreUnsupported(handle.utimes(time, time));
      await handle.sync();
      await (replace ? rename : renameNoReplace)(at(partial), at(target));
    },
    removeFile: (name) => unlink(at(name)),
    [Symbol.asyncDispose]: () => folder.close(),
  };
}
