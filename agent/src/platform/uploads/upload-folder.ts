/** The interface of a folder that receives an upload. One folder per operating system implements it. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { NewFile } from '../files.ts';

/** An open partial file. */
export interface UploadHandle extends Pick<FileHandle, 'read' | 'writev' | 'truncate'>, AsyncDisposable {
  stat(): Promise<{ size: number }>;
}

export interface UploadFolder<Handle extends UploadHandle = UploadHandle> extends AsyncDisposable {
  isTaken(name: string): Promise<boolean>;
  /** Opens the partial file of an earlier attempt, or an empty one. */
  openPartial(name: string): Promise<Handle>;
  /** Syncs the complete file to disk and gives it its name. Without `replace`, an existing file is never overwritten. */
  putInPlace(handle: Handle, partial: string, target: string, file: NewFile): Promise<void>;
  removeFile(name: string): Promise<void>;
}

/** The same file from the same source gets the same name, and so finds the partial file of an earlier attempt. */
export const partialName = ({ path, size, time }: NewFile): string =>
  `.${createHash('sha256')
    .update(JSON.stringify([path, size, time]))
    .digest('hex')
    .slice(0, 32)}.drawbridge-part`;

export const isPartialName = (name: string): boolean => /^\.[0-9a-f]{32}\.drawbridge-part$/.test(name);

/** How long the partial file of an interrupted upload is kept. */
export const partialKeptMs = 24 * 60 * 60_000;
