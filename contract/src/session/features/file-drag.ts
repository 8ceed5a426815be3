/** Files that the operator drags out of the picture: what both sides say until they are dropped. */
import * as z from 'zod';
import { list } from '../../list.ts';
import { deviceFileName, devicePath } from './file-path.ts';

/** More files in one drag are not taken. */
export const maxDraggedFiles = 100;

const draggedFile = z.object({
  folder: devicePath,
  name: deviceFileName,
  kind: z.enum(['file', 'folder']),
  /** In bytes; 0 for a folder. */
  size: z.int().min(0),
});
export type DraggedFile = z.output<typeof draggedFile>;

export const fileDragMessages = {
  file_drag: z.discriminatedUnion('is', [
    /** The operator's pointer has left the picture while a button is down. */
    z.object({ is: z.literal('outside') }),
    /** It is back. */
    z.object({ is: z.literal('inside') }),
    /** Files are dragged on the device; those that the operator lets go of now are offered. */
    z.object({ is: z.literal('ready'), count: z.int().min(1).max(maxDraggedFiles) }),
    /** Files are dragged that are not offered, with the reason. */
    z.object({ is: z.literal('unable'), message: z.string().max(512) }),
    /** The drag has ended without a drop. */
    z.object({ is: z.literal('ended') }),
    /** The operator downloads them as any other file. */
    z.object({ is: z.literal('dropped'), files: list(draggedFile, { max: maxDraggedFiles }) }),
  ]),
} as const;
