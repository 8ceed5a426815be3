/**
 * Pictures that claim a smaller size than decoders find in them, made from real ones that a browser has
 * encoded.
 */
import { crc32 } from 'node:zlib';

const join = (...parts: (Uint8Array | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));
const uint16 = (value: number): number[] => [value >> 8, value & 0xff];
const letters = (text: string): Buffer => Buffer.from(text, 'latin1');

interface Size {
  width: number;
  height: number;
}

/** A frame header with one component that declares this size. */
const frame = ({ width, height }: Size): Buffer =>
  join([0xff, 0xc0, 0, 11, 8], uint16(height), uint16(width), [1, 1, 0x11, 0]);

const segment = (marker: number, data: Uint8Array | readonly number[]): Buffer =>
  join([0xff, marker], uint16(data.length + 2), data);

/** The position of the frame header of a JPEG with this coding process. */
const frameAt = (jpeg: Buffer): number =>
  Math.max(jpeg.indexOf(Buffer.of(0xff, 0xc0)), jpeg.indexOf(Buffer.of(0xff, 0xc2)));
const scanAt = (jpeg: Buffer): number => jpeg.indexOf(Buffer.of(0xff, 0xda));
const splice = (bytes: Buffer, at: number, ...parts: (Uint8Array | readonly number[])[]): Buffer =>
  join(bytes.subarray(0, at), ...parts, bytes.subarray(at));

/**
 * The marker has no length. A reader that takes the next two bytes for one looks for the next segment 0xfffe
 * bytes further on, where a comment holds another frame.
 */
function behindBareMarker(jpeg: Buffer, marker: number, small: Size): Buffer {
  const [first, second] = [Buffer.alloc(0xff00 - 4), Buffer.alloc(300)];
  const skipsTo = 4 + 0xfffe;
  frame(small).copy(second, skipsTo - (4 + 0xff00 + 4));
  return splice(jpeg, 2, [0xff, marker], segment(0xfe, first), segment(0xfe, second));
}

/** By what is done to it; each is made from a JPEG that is larger than `small`. */
export const hostileJpegs = (jpeg: Buffer, small: Size): Record<string, Buffer> => ({
  'a marker without a length before the frame': behindBareMarker(jpeg, 0x01, small),
  'a restart before the frame': behindBareMarker(jpeg, 0xd0, small),
  'a second beginning before the frame': behindBareMarker(jpeg, 0xd8, small),
  'two frames': splice(jpeg, frameAt(jpeg), frame(small)),
  'a frame after the scan': join(
    jpeg.subarray(0, jpeg.length - 2),
    frame({ width: small.width * 90, height: small.height * 90 }),
    [0xff, 0xd9],
  ),
  'a frame of another way of coding first': splice(
    jpeg,
    frameAt(jpeg),
    [0xff, 0xc9],
    frame(small).subarray(2),
  ),
  'bytes between segments': splice(jpeg, 2, [0, 0, 0xff, 0, 0xff, 0]),
  'a height that comes after the scan': join(withHeight(jpeg, 0), segment(0xdc, uint16(small.height))),
  'a segment with a length of one': splice(jpeg, 2, [0xff, 0xe0, 0, 1]),
  'an index of further pictures': splice(jpeg, 2, segment(0xe2, letters('MPF\0MM\0*'))),
});

function withHeight(jpeg: Buffer, height: number): Buffer {
  const made = Buffer.from(jpeg);
  made.writeUInt16BE(height, frameAt(jpeg) + 5);
  return made;
}

/** Variants that encoders write and that must be shown. */
export const oddJpegs = (jpeg: Buffer): Record<string, Buffer> => ({
  'fill bytes before a marker': splice(jpeg, scanAt(jpeg), [0xff, 0xff, 0xff]),
  'a comment that holds a frame': splice(jpeg, 2, segment(0xfe, frame({ width: 9_000, height: 9_000 }))),
  'a preview within its notes': splice(
    jpeg,
    2,
    segment(0xe1, join(letters('Exif\0\0'), jpeg.subarray(0, 2_000))),
  ),
  'bytes after its end': join(jpeg, frame({ width: 9_000, height: 9_000 })),
  'no end': jpeg.subarray(0, jpeg.length - 2),
});

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const pngChunk = (type: string, data: Buffer): Buffer => {
  const named = join(letters(type), data);
  return join(int32(data.length), named, int32(crc32(named)));
};
const pngHeader = ({ width, height }: Size): Buffer => join(int32(width), int32(height), [8, 0, 0, 0, 0]);
const [firstPngChunk, afterPngHeader] = [8, 33];

/** Made from a PNG that is larger than `small`. */
export function hostilePngs(png: Buffer, small: Size): Record<string, Buffer> {
  const large = { width: small.width * 90, height: small.height * 90 };
  const control = (size: Size): Buffer =>
    join(int32(0), int32(size.width), int32(size.height), int32(0), int32(0), [0, 1, 0, 10, 0, 0]);
  const animated = pngChunk('acTL', join(int32(1), int32(0)));
  return {
    'two headers': splice(png, firstPngChunk, pngChunk('IHDR', pngHeader(small))),
    'another header later': splice(png, afterPngHeader, pngChunk('IHDR', pngHeader(large))),
    'a longer header': splice(png, firstPngChunk, pngChunk('IHDR', join(pngHeader(small), [0]))),
    'a frame that is larger': splice(png, afterPngHeader, animated, pngChunk('fcTL', control(large))),
  };
}

const webpChunk = (type: string, data: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return join(letters(type), length, data, data.length % 2 ? [0] : []);
};
const three = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff, value >> 16];
const webpFile = (...chunks: Buffer[]): Buffer => webpChunk('RIFF', join(letters('WEBP'), ...chunks));
const canvas = ({ width, height }: Size, flags: number): Buffer =>
  webpChunk('VP8X', join([flags, 0, 0, 0], three(width - 1), three(height - 1)));
const animatedFrame = ({ width, height }: Size, picture: Uint8Array): Buffer =>
  webpChunk('ANMF', join(three(0), three(0), three(width - 1), three(height - 1), three(100), [0], picture));
const animation = (on: Size, frames: Buffer[]): Buffer =>
  webpFile(canvas(on, 2), webpChunk('ANIM', Buffer.alloc(6)), ...frames);

/** The chunk with the coded picture, of either kind. */
function pictureOf(webp: Buffer): Buffer {
  const at = Math.max(webp.indexOf('VP8 '), webp.indexOf('VP8L'));
  const length = webp.readUInt32LE(at + 4);
  return webp.subarray(at, at + 8 + length + (length % 2));
}

/** Made from a WebP of one picture that is larger than `small`. */
export function hostileWebps(webp: Buffer, real: Size, small: Size): Record<string, Buffer> {
  const picture = pictureOf(webp);
  return {
    'a canvas that is smaller': webpFile(canvas(small, 0), picture),
    'a longer canvas': webpFile(webpChunk('VP8X', join(canvas(small, 0).subarray(8), [0, 0])), picture),
    'two canvases': webpFile(canvas(small, 0), canvas(real, 0), picture),
    'a frame that is larger': animation(small, [animatedFrame(real, picture)]),
    'a frame whose picture is larger': animation(small, [animatedFrame(small, picture)]),
    'no picture': webpFile(canvas(small, 0)),
  };
}

export const oddWebps = (webp: Buffer, real: Size): Record<string, Buffer> => ({
  'a canvas': webpFile(canvas(real, 0), pictureOf(webp)),
  'an animation': animation(real, [
    animatedFrame(real, pictureOf(webp)),
    animatedFrame(real, pictureOf(webp)),
  ]),
});
