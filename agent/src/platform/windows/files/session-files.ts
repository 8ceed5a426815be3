/** The file system for an operator: all drives, or only the folder that a setting names. */
import { homedir } from 'node:os';
import type { Files, ReadableFile } from '../../files.ts';
import { createPartialFile } from '../../uploads/partial-file.ts';
import { withReadableErrors, withReadableFileErrors } from '../../uploads/readable-errors.ts';
import { loadWindowsApi, type WindowsApi } from '../api/windows-api.ts';
import { toOpenFile } from './descriptor.ts';
import { createFolderPages } from './folder-pages.ts';
import { fileRights, dispositions, kindOf, openAt, options, renameTo } from './native-files.ts';
import { linkRefused, withFolderEntry } from './open-folder.ts';
import { fromWindowsPath } from './path-rules.ts';
import { removeAt } from './remove-tree.ts';
import { openUploadFolder } from './upload-folder.ts';

export async function openFiles(env: NodeJS.ProcessEnv = process.env): Promise<Files> {
  const api = await loadWindowsApi();
  const root = rootOf(env);
  const below = (path: string): string => `${root}${path}`;
  const page = createFolderPages(api);
  return {
    home: homeIn(env, homedir()),
    list: (path, after) => withReadableErrors(page(below(path), after)),
    open: (path) => withReadableErrors(openToRead(api, below(path))),
    create: (file) =>
      withReadableErrors(
        createPartialFile(root, file, (path) => openUploadFolder(api, below(path))).then(
          withReadableFileErrors,
        ),
      ),
    folder: (path) => withReadableErrors(makeFolder(api, below(path))),
    rename: (path, to) => withReadableErrors(move(api, below(path), below(to))),
    remove: (path) =>
      withReadableErrors(withFolderEntry(api, below(path), (folder, name) => removeAt(api, folder, name))),
  };
}

/** Empty for all drives. */
const rootOf = (env: NodeJS.ProcessEnv): string =>
  env['DRAWBRIDGE_AGENT_FILES'] ? fromWindowsPath(env['DRAWBRIDGE_AGENT_FILES']) : '';

/** The folder in which an operator starts, for a person with this home folder. */
export function homeIn(env: NodeJS.ProcessEnv, homeFolder: string): string {
  const [root, home] = [rootOf(env), fromWindowsPath(homeFolder)];
  if (root === '') return home;
  return home.startsWith(`${root}/`) ? home.slice(root.length) : '/';
}

const openToRead = (api: WindowsApi, path: string): Promise<ReadableFile> =>
  withFolderEntry(api, path, async (folder, name) => {
    const handle = await openAt(api, folder, name, { rights: fileRights.read, options: options.file });
    if (kindOf(api, handle).isLink) {
      api.CloseHandle(handle);
      throw linkRefused();
    }
    const file = toOpenFile(api, handle);
    const { size, mtimeMs } = await file.stat();
    return {
      size,
      time: Math.floor(mtimeMs / 1_000),
      // Limited to the size at opening, because a file can grow while it is sent.
      async read(at, length) {
        const wanted = Math.min(length, size - at);
        if (wanted <= 0) return new Uint8Array();
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
        return buffer.subarray(0, bytesRead);
      },
      close: file.close,
    };
  });

const makeFolder = (api: WindowsApi, path: string): Promise<void> =>
  withFolderEntry(api, path, async (folder, name) => {
    const request = { rights: fileRights.list, disposition: dispositions.create, options: options.folder };
    api.CloseHandle(await openAt(api, folder, name, request));
  });

/** Moves a file or a folder without replacing another. */
const move = (api: WindowsApi, from: string, to: string): Promise<void> =>
  withFolderEntry(api, from, (source, name) =>
    withFolderEntry(api, to, async (target, newName) => {
      const handle = await openAt(api, source, name, { rights: fileRights.delete });
      try {
        renameTo(api, handle, { folder: target, name: newName, replace: false });
      } finally {
        api.CloseHandle(handle);
      }
    }),
  );
