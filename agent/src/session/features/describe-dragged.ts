/** Finds out which of the files that were dropped the operator can download. */
import type { DraggedFile } from '@drawbridge/contract/session/features/file-drag';
import type { Files } from '../../platform/files.ts';

/** Without those that cannot be read. */
export async function describeDragged(files: Files, paths: readonly string[]): Promise<DraggedFile[]> {
  const found: DraggedFile[] = [];
  for (const path of paths) {
    const end = path.lastIndexOf('/');
    const place = { folder: path.slice(0, end) || '/', name: path.slice(end + 1) };
    const size = await sizeOf(files, path);
    if (size !== undefined) found.push({ ...place, kind: 'file', size });
    else if (await isFolder(files, path)) found.push({ ...place, kind: 'folder', size: 0 });
  }
  return found;
}

async function sizeOf(files: Files, path: string): Promise<number | undefined> {
  try {
    const file = await files.open(path);
    await file.close();
    return file.size;
  } catch {
    return undefined;
  }
}

const isFolder = (files: Files, path: string): Promise<boolean> =>
  files.list(path).then(
    () => true,
    () => false,
  );
