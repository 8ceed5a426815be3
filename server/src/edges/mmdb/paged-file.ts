/** Reads parts of a file through a small cache of pages, so that a large file is not held in memory. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes that are read by their offset. */
export interface ByteSource {
  readonly size: number;
  /** Throws if the bytes are not all inside the source. */
  read(offset: number, length: number): Buffer;
}

export interface PagedFile extends ByteSource {
  /** How many bytes of the file are in memory. */
  cachedBytes(): number;
  close(): void;
}

interface CacheLimits {
  pageSize: number;
  maxPages: number;
}

/** One megabyte: the upper part of the search tree, which every lookup reads, and the entries of the last lookups. */
const defaultLimits: CacheLimits = { pageSize: 4_096, maxPages: 256 };

/** Keeps the file open: one that is replaced by renaming stays readable until the server ends. */
export function openPagedFile(file: string, { pageSize, maxPages } = defaultLimits): PagedFile {
  const descriptor = openSync(file, 'r');
  const { size } = fstatSync(descriptor);
  /** The least recently used page is the first. */
  const pages = new Map<number, Buffer>();

  const pageAt = (index: number): Buffer => {
    const known = pages.get(index);
    pages.delete(index);
    const start = index * pageSize;
    const page = known ?? readBytes(descriptor, start, Math.min(pageSize, size - start));
    if (pages.size >= maxPages) pages.delete(pages.keys().next().value!);
    pages.set(index, page);
    return page;
  };

  return {
    size,
    read(offset, length) {
      if (!isInside(offset, length, size))
        throw new RangeError(`The file has no ${length} bytes at ${offset}.`);
      const index = Math.floor(offset / pageSize);
      const start = offset - index * pageSize;
      if (start + length > pageSize) return readBytes(descriptor, offset, length);
      return pageAt(index).subarray(start, start + length);
    },
    cachedBytes: () => pages.values().reduce((sum, page) => sum + page.length, 0),
    close: () => closeSync(descriptor),
  };
}

const isInside = (offset: number, length: number, size: number): boolean =>
  offset >= 0 && length >= 0 && offset + length <= size;

function readBytes(descriptor: number, offset: number, length: number): Buffer {
  // Not from the shared pool of buffers, of which a cached page would keep other parts in memory.
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length;) {
    const read = readSync(descriptor, bytes, done, length - done, offset + done);
    if (read === 0) throw new RangeError('The file became shorter while it was open.');
    done += read;
  }
  return bytes;
}
