/** Reads the size of a WebP: that of its canvas, which no image in it may exceed. */
import { fitsWithin, textAt, type ImageSize } from './bytes.ts';

/** The first chunk follows the file's name and size; a chunk's data follows the chunk's name and size. */
const [firstChunk, chunkHeaderBytes] = [12, 8];
const canvasLength = 10;
/** Offset, size and duration of an animation frame precede its image. */
const frameHeaderBytes = 16;

export function webpSize(view: DataView): ImageSize | undefined {
  if (textAt(view, 0, 4) !== 'RIFF' || textAt(view, 8, 4) !== 'WEBP' || view.byteLength < 30)
    return undefined;
  if (textAt(view, firstChunk, 4) !== 'VP8X') return imageSize(view, firstChunk);
  if (view.getUint32(firstChunk + 4, true) !== canvasLength) return undefined;
  const canvas = { width: threeBytes(view, 24) + 1, height: threeBytes(view, 27) + 1 };
  return isFit(view, canvas) ? canvas : undefined;
}

/** Reads a lossy or lossless image. Returns undefined for other chunks, and for images that depend on an earlier one. */
function imageSize(view: DataView, chunk: number): ImageSize | undefined {
  const [type, at] = [textAt(view, chunk, 4), chunk + chunkHeaderBytes];
  if (at + 10 > view.byteLength) return undefined;
  if (type === 'VP8 ' && textAt(view, at + 3, 3) === '\x9d\x01\x2a' && (view.getUint8(at) & 1) === 0)
    return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff };
  if (type !== 'VP8L' || view.getUint8(at) !== 0x2f) return undefined;
  const bits = view.getUint32(at + 1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Whether the file has at least one image and none exceeds the canvas. */
function isFit(view: DataView, canvas: ImageSize): boolean {
  let [imageCount, frameEnd] = [0, 0];
  for (let at = firstChunk + chunkHeaderBytes + canvasLength; at + chunkHeaderBytes <= view.byteLength;) {
    const [type, data] = [textAt(view, at, 4), at + chunkHeaderBytes];
    const end = data + view.getUint32(at + 4, true);
    if (type === 'VP8X' || (at < frameEnd && end > frameEnd)) return false;
    if (type === 'ANMF') {
      if (end > view.byteLength || end < data + frameHeaderBytes || !isFrameFit(view, data, canvas))
        return false;
      // The chunks inside the frame are read next; they must end with it.
      [at, frameEnd] = [data + frameHeaderBytes, end];
      continue;
    }
    if (type === 'VP8 ' || type === 'VP8L') {
      const size = imageSize(view, at);
      if (!size || !fitsWithin(size, canvas)) return false;
      imageCount += 1;
    }
    at = end + (end % 2);
  }
  return imageCount > 0;
}

/** A frame's offset is stored in units of two pixels. */
function isFrameFit(view: DataView, at: number, canvas: ImageSize): boolean {
  const [left, top] = [2 * threeBytes(view, at), 2 * threeBytes(view, at + 3)];
  const [width, height] = [threeBytes(view, at + 6) + 1, threeBytes(view, at + 9) + 1];
  return fitsWithin({ width: left + width, height: top + height }, canvas);
}

const threeBytes = (view: DataView, at: number): number =>
  view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
