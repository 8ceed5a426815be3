/** What the agent asks of the file system for an operator. Nothing outside the folder that was opened is ever reached. */
import type { FileEntry } from '@drawbridge/contract/session/messages';

export interface ReadableFile {
  size: number;
  /** Unix time of the last change. */
  time: number;
  read(at: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** A file that is being filled; it takes its name when it is complete, and what is left of a broken try can be gone on with. */
export interface PartialFile {
  /** How much an earlier try has left. */
  from: number;
  write(at: number, data: Uint8Array): Promise<void>;
  /** Puts the file in place if its content has this hash; if it does not get there, nothing remains. */
  finish(sha256: string): Promise<void>;
  /** Leaves what is there for a later try. */
  close(): Promise<void>;
  /** Leaves nothing. */
  discard(): Promise<void>;
}

/** Part of what lies in a folder, in the order of the names. */
export interface FilePage {
  entries: FileEntry[];
  more: boolean;
  /** How many lie there, also beyond those that are shown on any page. */
  total: number;
}

export interface NewFile {
  path: string;
  size: number;
  time?: number | undefined;
  /** Whether a file of that name may be replaced. */
  replace: boolean;
}

/** All paths begin with a slash, which is the folder that was opened. */
export interface Files {
  home: string;
  /** The first page, or the one behind this name. */
  list(path: string, after?: string): Promise<FilePage>;
  open(path: string): Promise<ReadableFile>;
  create(file: NewFile): Promise<PartialFile>;
  folder(path: string): Promise<void>;
  rename(path: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}
