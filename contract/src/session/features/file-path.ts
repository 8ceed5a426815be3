/** Paths and names of files on the device, as frames contain them. */
import * as z from 'zod';

/** A path on the device, separated by slashes. */
export const devicePath = z
  .string()
  .max(4_096)
  .refine((value) => !value.includes('\0'), 'must not contain NUL');

/** A single path component. Appended to a folder, it must not lead out of the folder. */
export const deviceFileName = z
  .string()
  .max(1_024)
  .refine(
    (value) => !['', '.', '..'].includes(value) && !/[\0/]/.test(value),
    'must be the name of one file',
  );
