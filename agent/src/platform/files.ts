/** The interface of the file system for operators. Nothing outside the opened root folder can be reached. */
import type { FileEntry, FileHashKind } from '@drawbridge/contract/session/messages';

export interface ReadableFile {
  size: number;
  /** Unix time of the last change. */
  time: number;
  read(at: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * A file that is being uploaded. It gets its name when it is complete, and an interrupted upload can be resumed. Calls take
 * effect in their order; after a failed write, later writes and `finish` fail with its error.
 */
export interface PartialFile {
  /** How many bytes of an interrupted upload already exist. */
  from: number;
  write(at: number, data: Uint8Array): Promise<void>;
  /** Puts the file in place if its content has this hash; otherwise nothing remains. */
  finish(sha256: string): Promise<void>;
  /** Keeps the partial file, so that the upload can be resumed. */
  close(): Promise<void>;
  /** Removes the partial file. */
  discard(): Promise<void>;
}

/** A page of the entries of a folder, sorted by name. */
export interface FilePage {
  entries: FileEntry[];
  more: boolean;
  /** How many entries the folder has, including those that no page shows. */
  total: number;
}

export interface NewFile {
  path: string;
  size: number;
  time?: number | undefined;
  /** Whether a file of that name may be replaced. */
  replace: boolean;
  /** How its hash is computed. */
  hash?: FileHashKind;
}

/** All paths start with a slash, which stands for the root folder. */
export interface Files {
  home: string;
  /** Returns the first page, or the page after this name. */
  list(path: string, after?: string): Promise<FilePage>;
  open(path: string): Promise<ReadableFile>;
  create(file: NewFile): Promise<PartialFile>;
  folder(path: string): Promise<void>;
  rename(path: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}
