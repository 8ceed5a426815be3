/** Reads the type and size of an image from its bytes alone. A media type stated by the sender is never trusted. */
import { jpegSize } from './images/jpeg.ts';
import { pngSize } from './images/png.ts';
import { webpSize } from './images/webp.ts';

export interface ImageInfo {
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
}

const sizeReaders = { 'image/png': pngSize, 'image/jpeg': jpegSize, 'image/webp': webpSize };

/** Returns undefined for any other format, and for a file that a decoder could read as larger than it declares. */
export const readImageInfo = (bytes: Uint8Array): ImageInfo | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [type, read] of Object.entries(sizeReaders)) {
    const size = read(view);
    if (size && size.width > 0 && size.height > 0) return { type: type as ImageInfo['type'], ...size };
  }
  return undefined;
};

/** Applies to both sides, because previews of upright screens are taller than they are wide. */
const maxPreviewSide = 2_048;
const maxPreviewPixels = 1_000_000;

/** Returns undefined if the bytes are not an image, or if decoding it would need much memory. */
export function readPreviewInfo(bytes: Uint8Array): ImageInfo | undefined {
  const found = readImageInfo(bytes);
  if (!found || Math.max(found.width, found.height) > maxPreviewSide) return undefined;
  return found.width * found.height <= maxPreviewPixels ? found : undefined;
}
