/** What kind of picture some bytes are, and how large it is: told by the bytes alone, whatever anybody says of them. */
import { jpegSize } from './pictures/jpeg.ts';
import { pngSize } from './pictures/png.ts';
import { webpSize } from './pictures/webp.ts';

export interface Picture {
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
}

const readers = { 'image/png': pngSize, 'image/jpeg': jpegSize, 'image/webp': webpSize };

/** Undefined where it is none of these, or where a decoder could take it for larger than it says. */
export const pictureIn = (bytes: Uint8Array): Picture | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [type, read] of Object.entries(readers)) {
    const size = read(view);
    if (size && size.width > 0 && size.height > 0) return { type: type as Picture['type'], ...size };
  }
  return undefined;
};

/** The longest side of a preview: those of screens that stand upright are higher than they are wide. */
const mostPreviewSide = 2_048;
const mostPreviewPixels = 1_000_000;

/** A picture that may be shown small; undefined where it is none, or would take much memory to decode. */
export function previewIn(bytes: Uint8Array): Picture | undefined {
  const found = pictureIn(bytes);
  if (!found || Math.max(found.width, found.height) > mostPreviewSide) return undefined;
  return found.width * found.height <= mostPreviewPixels ? found : undefined;
}
