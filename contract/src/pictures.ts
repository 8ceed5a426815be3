/** What kind of picture some bytes are, and how large it is: told by the bytes alone, whatever anybody says of them. */

export interface Picture {
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
}

/** Undefined where it is none of these, or says nothing of its size. */
export const pictureIn = (bytes: Uint8Array): Picture | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = png(view) ?? jpeg(view) ?? webp(view);
  return found && found.width > 0 && found.height > 0 ? found : undefined;
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

const textAt = (view: DataView, at: number, length: number): string =>
  at + length > view.byteLength
    ? ''
    : String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length));

function png(view: DataView): Picture | undefined {
  if (textAt(view, 0, 8) !== '\x89PNG\r\n\x1a\n' || textAt(view, 12, 4) !== 'IHDR') return undefined;
  if (view.byteLength < 33) return undefined;
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

/** Frame headers of every way of coding; in the same range lie three markers that mean something else. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpeg(view: DataView): Picture | undefined {
  if (textAt(view, 0, 3) !== '\xff\xd8\xff') return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (isFrame(marker))
      return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // A marker may be preceded by any number of fill bytes; the coded picture never comes before its frame.
    if (marker === 0xff) at += 1;
    else if (marker === 0xda) return undefined;
    else at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function webp(view: DataView): Picture | undefined {
  if (textAt(view, 0, 4) !== 'RIFF' || textAt(view, 8, 4) !== 'WEBP' || view.byteLength < 30)
    return undefined;
  const size = webpSize[textAt(view, 12, 4)]?.(view);
  return size && { type: 'image/webp', ...size };
}

/** By the first chunk: lossy, lossless, and with more than one picture or transparency. */
const webpSize: Record<string, (view: DataView) => { width: number; height: number } | undefined> = {
  'VP8 ': (view) =>
    textAt(view, 23, 3) === '\x9d\x01\x2a'
      ? { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
      : undefined,
  VP8L: (view) => {
    if (view.getUint8(20) !== 0x2f) return undefined;
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  },
  VP8X: (view) => ({ width: threeBytes(view, 24) + 1, height: threeBytes(view, 27) + 1 }),
};

const threeBytes = (view: DataView, at: number): number =>
  view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
