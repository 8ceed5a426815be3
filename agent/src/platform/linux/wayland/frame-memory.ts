/** Memory for pixels that the agent and the process of the signed-in person share, so that no picture is copied between them. */
import { closeSync, fstatSync } from 'node:fs';
import { NotPossible } from '../../platform.ts';
import { loadLibc } from './libc.ts';

export interface FrameMemory {
  /** The memory file, to be inherited by another process or sent to a compositor. */
  fd: number;
  /** One word for each pixel. */
  words: Uint32Array;
  /** Reserves space for a picture; throws NotPossible if none is left. */
  allocate(pixels: number): FrameRegion;
  /** After this the words must not be accessed, because the memory is unmapped. */
  close(): void;
}

/** A part of the memory; lengths count words. */
export interface FrameRegion {
  offset: number;
  length: number;
  free(): void;
}

/** Enough for four monitors of 3840×2160. Only what is used takes memory. */
const totalBytes = 128 * 1_024 * 1_024;
/** Regions start on a page, which is what compositors map. */
const pageWords = 1_024;
const [closeOnExec, allowSealing] = [1, 2];
const addSeals = 1_033;
/** Nobody can change the size, because reading beyond the end would kill the reader. */
const fixedSize = 1 | 2 | 4;
const [readAndWrite, shared] = [3, 1];

export async function createFrameMemory(): Promise<FrameMemory> {
  const { memfd_create, ftruncate, fcntl } = await loadLibc();
  const fd = memfd_create('drawbridge-frames', closeOnExec | allowSealing) as number;
  if (fd < 0) throw new NotPossible('The system of the device offers no memory that processes can share.');
  if (ftruncate(fd, totalBytes) !== 0 || fcntl(fd, addSeals, 'int', fixedSize) !== 0) {
    closeSync(fd);
    throw new NotPossible('The memory for the picture cannot be reserved on the device.');
  }
  return openFrameMemory(fd);
}

/** Maps memory that another process has created. */
export async function openFrameMemory(fd: number): Promise<FrameMemory> {
  const { koffi, mmap, munmap } = await loadLibc();
  const { size } = fstatSync(fd);
  const address = mmap(null, size, readAndWrite, shared, fd, 0);
  const words = new Uint32Array(koffi.view(address, size));
  const regions: FrameRegion[] = [];
  return {
    fd,
    words,
    allocate: (pixels) => allocate(regions, words.length, pixels),
    close() {
      munmap(address, size);
      closeSync(fd);
    },
  };
}

/** Takes the first gap that is large enough. */
function allocate(regions: FrameRegion[], total: number, pixels: number): FrameRegion {
  const length = Math.ceil(pixels / pageWords) * pageWords;
  let offset = 0;
  for (const region of regions.toSorted((one, other) => one.offset - other.offset)) {
    if (region.offset - offset >= length) break;
    offset = region.offset + region.length;
  }
  if (offset + length > total)
    throw new NotPossible('The screens of the device are larger together than the agent can show.');
  const region = { offset, length, free: () => void regions.splice(regions.indexOf(region), 1) };
  regions.push(region);
  return region;
}
