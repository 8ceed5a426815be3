/** The records that the video encoder and libvpx exchange: the image, the map of active blocks and the packets of video. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Koffi } from '../../platform/native.ts';
import { blockSize } from '../lossy-blocks.ts';
import type { Framebuffer } from '../framebuffer.ts';
import { activeMap, i420, image, packet } from './vpx-memory.ts';
import type { Vpx } from './vpx-library.ts';
import type { YuvPlanes } from './yuv.ts';

export interface ActiveMap {
  /** Returns the record for these boxes; undefined for the whole picture. */
  of(boxes: readonly Box[] | undefined): Buffer;
}

export function describeImage(koffi: Koffi, { width, height }: Framebuffer, planes: YuvPlanes): Buffer {
  const record = Buffer.alloc(image.bytes);
  const numbers = {
    format: i420,
    width,
    height,
    depth: 8,
    shownWidth: width,
    shownHeight: height,
    chromaShiftX: 1,
    chromaShiftY: 1,
    bitsPerSample: 12,
  } as const;
  for (const [name, value] of Object.entries(numbers))
    record.writeUInt32LE(value, image[name as keyof typeof numbers]);
  const { bytes, stride, cb, cr } = planes;
  const address = koffi.address(bytes);
  [0, cb, cr].forEach((at, plane) => {
    record.writeBigUInt64LE(address + BigInt(at), image.planes + 8 * plane);
    record.writeUInt32LE(plane === 0 ? stride : stride / 2, image.strides + 4 * plane);
  });
  return record;
}

/** Tells libvpx which blocks to encode. The record contains the address of the map, so both must live equally long. */
export function createActiveMap(koffi: Koffi, { width, height }: Framebuffer): ActiveMap {
  const [columns, rows] = [Math.ceil(width / blockSize), Math.ceil(height / blockSize)];
  const map = Buffer.alloc(columns * rows);
  const record = Buffer.alloc(activeMap.bytes);
  record.writeUInt32LE(rows, activeMap.rows);
  record.writeUInt32LE(columns, activeMap.columns);
  return {
    of(boxes) {
      record.writeBigUInt64LE(boxes ? koffi.address(map) : 0n, activeMap.map);
      map.fill(0);
      for (const box of boxes ?? [])
        for (let row = box.y / blockSize; row < (box.y + box.height) / blockSize; row += 1)
          map.fill(
            1,
            row * columns + box.x / blockSize,
            row * columns + Math.ceil((box.x + box.width) / blockSize),
          );
      return record;
    },
  };
}

export function readPackets(
  { koffi, library }: Pick<Vpx, 'koffi' | 'library'>,
  context: Buffer,
): Buffer | undefined {
  const iterator = Buffer.alloc(8);
  const parts: Buffer[] = [];
  for (let at = library.next(context, iterator); at; at = library.next(context, iterator)) {
    const record = Buffer.from(koffi.view(at, packet.bytes));
    if (record.readUInt32LE(packet.kind) !== 0) continue;
    const size = Number(record.readBigUInt64LE(packet.size));
    // Copied, because the library writes the next frame to the same memory.
    parts.push(Buffer.from(new Uint8Array(koffi.view(record.readBigUInt64LE(packet.data), size))));
  }
  return parts.length > 0 ? Buffer.concat(parts) : undefined;
}
