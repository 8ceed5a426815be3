/** Sentences for the errors of file systems. */
import type { PartialFile } from '../files.ts';
import { NotPossible } from '../platform.ts';

export const errorCodeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

const sentences: Record<string, string> = {
  ENOENT: 'There is no file or folder with that name.',
  EACCES: 'The agent does not have permission to do that there.',
  EPERM: 'The agent does not have permission to do that there.',
  EEXIST: 'A file or folder with that name already exists.',
  ENOTDIR: 'Part of the path is not a folder.',
  ELOOP: 'The path contains a symbolic link that cannot be followed.',
  ENAMETOOLONG: 'The name is too long.',
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk is full.',
  EROFS: 'The disk is read-only.',
  EISDIR: 'The path is a folder, not a file.',
  EBUSY: 'The system is using it, for example as a mount point.',
  EINVAL: 'A folder cannot be moved into itself.',
  ENOTEMPTY: 'A file or folder with that name already exists.',
  EXDEV: 'A file cannot be moved to another disk.',
};

/** Turns system errors into sentences that name no path outside the root. */
export const withReadableErrors = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    throw error instanceof NotPossible
      ? error
      : new NotPossible(
          sentences[errorCodeOf(error)] ?? `The system refused: ${errorCodeOf(error) || 'no reason given'}.`,
        );
  });

/** The same for errors during the upload, for example if the disk is full or the name was taken meanwhile. */
export const withReadableFileErrors = (file: PartialFile): PartialFile => ({
  ...file,
  write: (at, data) => withReadableErrors(file.write(at, data)),
  finish: (sha256) => withReadableErrors(file.finish(sha256)),
});
