/** Errors that say that data cannot be read or stored at the moment: the database is away, or the disk is full. */

interface StorageError {
  code?: string;
  isOutage?: boolean;
}

const fullDisk = /^(?:ENOSPC|EDQUOT|SQLITE_FULL|53100)$/;
const unusableFile = /^(?:EROFS|SQLITE_(?:IOERR|CANTOPEN|READONLY|BUSY))/;

export const isDiskFull = (error: unknown): boolean => fullDisk.test((error as StorageError).code ?? '');

export const isOutage = (error: unknown): boolean =>
  (error as StorageError).isOutage === true ||
  isDiskFull(error) ||
  unusableFile.test((error as StorageError).code ?? '');

/** For work that is done later, or is not needed, if the storage is away. */
export function ignoreOutage(error: unknown): undefined {
  if (!isOutage(error)) throw error;
}

/** For errors whose code does not tell, such as those of the connection to the database. */
export const markOutage = <Thrown extends Error>(error: Thrown): Thrown =>
  Object.assign(error, { isOutage: true });
