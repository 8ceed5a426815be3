/**
 * Reads the size of a JPEG. Decoders treat unusual files differently, so only the form that encoders write is accepted:
 * segments without gaps, one frame before the first scan, and nothing that could define another size.
 */
import { textAt, type ImageSize } from './bytes.ts';

/** Baseline, extended and progressive: the ones that browsers decode. */
const frames = new Set([0xc0, 0xc1, 0xc2]);
const [endOfImage, scan] = [0xd9, 0xda];
/** Huffman tables, quantization tables, restart intervals, comments, and application segments. */
const isAllowedMarker = (marker: number): boolean =>
  [0xc4, 0xdb, 0xdd, 0xfe].includes(marker) || (marker >= 0xe0 && marker <= 0xef);
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

interface Segment {
  marker: number;
  /** Start of its data, after the length. */
  start: number;
  end: number;
}

export function jpegSize(view: DataView): ImageSize | undefined {
  if (textAt(view, 0, 3) !== '\xff\xd8\xff') return undefined;
  let [size, isScanned]: [ImageSize?, boolean?] = [];
  let at = 2;
  // Browsers show a file that is cut off within a scan, so it is accepted.
  while (!(isScanned && isAtEnd(view, at))) {
    const segment = segmentAt(view, at);
    if (!segment) return undefined;
    const { marker, start, end } = segment;
    if (frames.has(marker)) {
      if (size || end - start < 6) return undefined;
      size = { width: view.getUint16(start + 3), height: view.getUint16(start + 1) };
    } else if (marker === scan ? !size : !isAllowedMarker(marker) || holdsImages(view, segment))
      return undefined;
    isScanned ||= marker === scan;
    at = marker === scan ? afterScan(view, end) : end;
  }
  return size;
}

const isAtEnd = (view: DataView, at: number): boolean =>
  at >= view.byteLength || view.getUint8(afterFill(view, at)) === endOfImage;

/** Skips the bytes 0xff before a marker, of which there can be several, and returns the position of its code. */
function afterFill(view: DataView, at: number): number {
  let code = at;
  while (code < view.byteLength - 1 && view.getUint8(code) === 0xff) code += 1;
  return code;
}

/** Returns undefined if no whole segment follows. Markers without a length are not allowed between segments. */
function segmentAt(view: DataView, at: number): Segment | undefined {
  const code = afterFill(view, at);
  if (code === at || code + 3 > view.byteLength) return undefined;
  const [start, end] = [code + 3, code + 1 + view.getUint16(code + 1)];
  return end < start || end > view.byteLength ? undefined : { marker: view.getUint8(code), start, end };
}

/** Whether the segment is an index of further images in the file, which have their own sizes. */
const holdsImages = (view: DataView, { marker, start }: Segment): boolean =>
  marker === 0xe2 && textAt(view, start, 4) === 'MPF\0';

/** Returns the position of the next marker that is not part of the coded image data. */
function afterScan(view: DataView, from: number): number {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at)) {
    const begin = at;
    while (bytes[at] === 0xff) at += 1;
    const code = bytes[at];
    if (code === undefined) break;
    if (code !== 0 && !isRestart(code)) return begin;
  }
  return view.byteLength;
}
