/** What kind of picture some bytes are, and how large it is: told by the bytes alone, whatever anybody says of them. */
import { jpegSize } from './images/jpeg.ts';
import { pngSize } from './images/png.ts';
import { webpSize } from './images/webp.ts';

export interface ImageInfo {
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
}

const sizeReaders = { 'image/png': pngSize, 'image/jpeg': jpegSize, 'image/webp': webpSize };

/** Undefined where it is none of these, or where a decoder could take it for larger than it says. */
export const readImageInfo = (bytes: Uint8Array): ImageInfo | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [type, read] of Object.entries(sizeReaders)) {
    const size = read(view);
    if (size && size.width > 0 && size.height > 0) return { type: type as ImageInfo['type'], ...size };
  }
  return undefined;
};

/** The longest side of a preview: those of screens that stand upright are higher than they are wide. */
const maxPreviewSide = 2_048;
const maxPreviewPixels = 1_000_000;

/** A picture that may be shown small; undefined where it is none, or would take much memory to decode. */
export function readPreviewInfo(bytes: Uint8Array): ImageInfo | undefined {
  const found = readImageInfo(bytes);
  if (!found || Math.max(found.width, found.height) > maxPreviewSide) return undefined;
  return found.width * found.height <= maxPreviewPixels ? found : undefined;
}
