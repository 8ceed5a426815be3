/** Renames a file without ever replacing an existing one, also on file systems without hard links. */
import { link, open, rename, unlink } from 'node:fs/promises';
import { errorCodeOf } from '../../uploads/readable-errors.ts';

/** Errors for hard links on USB sticks and network shares, and on Linux for files of another user. */
const refusals = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

export async function renameNoReplace(from: string, to: string): Promise<void> {
  const isLinked = await link(from, to).then(
    () => true,
    (error: unknown) => {
      if (!refusals.has(errorCodeOf(error))) throw error;
      return false;
    },
  );
  // Creating the target exclusively fails if the name is taken; afterwards the rename may replace the empty file.
  if (!isLinked) await (await open(to, 'wx')).close();
  await (isLinked ? unlink(from) : rename(from, to)).catch(async (error: unknown) => {
    await unlink(to).catch(() => {});
    throw error;
  });
}
