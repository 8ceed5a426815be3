/** Reads the size of a PNG from its header. There must be only one header, and no animation frame may exceed it. */
import { fitsWithin, textAt, type ImageSize } from './bytes.ts';

const firstChunk = 8;
const headerLength = 13;
/** Length, type and checksum. */
const chunkOverhead = 12;

export function pngSize(view: DataView): ImageSize | undefined {
  if (textAt(view, 0, firstChunk) !== '\x89PNG\r\n\x1a\n' || textAt(view, 12, 4) !== 'IHDR') return undefined;
  if (view.byteLength < firstChunk + chunkOverhead + headerLength) return undefined;
  if (view.getUint32(firstChunk) !== headerLength) return undefined;
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  return isEveryFrameFit(view, size) ? size : undefined;
}

function isEveryFrameFit(view: DataView, size: ImageSize): boolean {
  for (let at = firstChunk + chunkOverhead + headerLength; at + 8 <= view.byteLength;) {
    const [length, type] = [view.getUint32(at), textAt(view, at + 4, 4)];
    if (type === 'IEND') return true;
    if (type === 'IHDR') return false;
    if (type === 'fcTL' && !isFrameFit(view, at + 8, size)) return false;
    at += chunkOverhead + length;
  }
  return true;
}

/** The frame's sequence number is followed by its width, height and offset. */
function isFrameFit(view: DataView, at: number, size: ImageSize): boolean {
  if (at + 20 > view.byteLength) return false;
  const [width, height] = [view.getUint32(at + 4), view.getUint32(at + 8)];
  return fitsWithin(
    { width: width + view.getUint32(at + 12), height: height + view.getUint32(at + 16) },
    size,
  );
}
