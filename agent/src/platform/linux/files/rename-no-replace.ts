/** Gives a file another name without ever replacing what has that name, also where there are no hard links. */
import { link, open, rename, unlink } from 'node:fs/promises';
import { errorCodeOf } from './handles.ts';

/** What file systems of sticks and network shares say to a hard link, and Linux of a file that is somebody else's. */
const refusals = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

export async function renameNoReplace(from: string, to: string): Promise<void> {
  const isLinked = await link(from, to).then(
    () => true,
    (error: unknown) => {
      if (!refusals.has(errorCodeOf(error))) throw error;
      return false;
    },
  );
  // The system refuses a name that is taken; what it has given is free to be replaced.
  if (!isLinked) await (await open(to, 'wx')).close();
  await (isLinked ? unlink(from) : rename(from, to)).catch(async (error: unknown) => {
    await unlink(to).catch(() => {});
    throw error;
  });
}
