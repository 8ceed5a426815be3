/** Resolves paths step by step. No link is followed, so no local user can redirect an operator. */
import { NotPossible } from '../../platform.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';
import { fileRights, kindOf, openAt, options } from './native-files.ts';
import { parsePath } from './path-rules.ts';

const [shareAll, openExisting, backupSemantics] = [7, 3, 0x0200_0000];

export const linkRefused = (): NotPossible =>
  new NotPossible('The path contains a link. Open the target of the link instead.');

/** The folder at the end of a path, which must name at least a drive. */
export async function openFolder(api: WindowsApi, path: string): Promise<Handle> {
  const parsed = parsePath(path);
  if (!parsed) throw new NotPossible('The path names no drive.');
  let here = openDrive(api, parsed.drive);
  for (const name of parsed.names) {
    const above = here;
    try {
      here = await openAt(api, above, name, { rights: fileRights.list, options: options.folder });
    } finally {
      api.CloseHandle(above);
    }
    if (kindOf(api, here).isLink) {
      api.CloseHandle(here);
      throw linkRefused();
    }
  }
  return here;
}

function openDrive(api: WindowsApi, drive: string): Handle {
  const wanted = fileRights.list | fileRights.attributes | fileRights.synchronize;
  const handle = api.CreateFileW(`${drive}\\`, wanted, shareAll, null, openExisting, backupSemantics, 0);
  if (BigInt(handle) === -1n) throw Object.assign(new Error('no such drive'), { code: 'ENOENT' });
  return handle;
}

/** Calls `work` with the folder that contains the last name of a path; the entry itself is not examined. */
export async function withFolderEntry<Result>(
  api: WindowsApi,
  path: string,
  work: (folder: Handle, name: string) => Promise<Result>,
): Promise<Result> {
  const parsed = parsePath(path);
  const name = parsed?.names.at(-1);
  if (!parsed || name === undefined) throw new NotPossible('The path does not name a file.');
  const folder = await openFolder(api, `/${[parsed.drive, ...parsed.names.slice(0, -1)].join('/')}`);
  try {
    return await work(folder, name);
  } finally {
    api.CloseHandle(folder);
  }
}
