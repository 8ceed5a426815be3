/** Decodes VP8 with the libvpx of this machine, so that tests see what an operator would see. */
import koffi from 'koffi';
import { findLibrary, type Koffi } from '@drawbridge/agent/platform/native';
import { vpxNames } from '@drawbridge/agent/pixels/video/library-names';
import { contextBytes, image, newestVersion, otherVersion } from '@drawbridge/agent/pixels/video/vpx-memory';

export interface DecodedFrame {
  width: number;
  height: number;
  /** The brightness of a pixel, 16 (black) to 235 (white). */
  brightness(x: number, y: number): number;
}

/** Decodes frames in their order. */
export function createVp8Decoder(): (frame: Buffer) => DecodedFrame {
  const library = findLibrary(koffi as unknown as Koffi, vpxNames())!;
  const codec = library.func('void* vpx_codec_vp8_dx()');
  const init = library.func(
    'int vpx_codec_dec_init_ver(void* c, void* codec, void* config, long flags, int v)',
  );
  const decode = library.func(
    'int vpx_codec_decode(void* c, void* data, uint size, void* user, long deadline)',
  );
  const next = library.func('void* vpx_codec_get_frame(void* c, void* iterator)');
  const context = Buffer.alloc(contextBytes);
  let code: unknown = otherVersion;
  for (let version = 1; version <= newestVersion && code === otherVersion; version += 1)
    code = init(context, codec(), null, 0, version);
  return (frame) => {
    const result: unknown = decode(context, frame, frame.length, null, 0);
    const found: unknown = next(context, Buffer.alloc(8));
    if (code !== 0 || result !== 0 || !found)
      throw new Error(`libvpx answered ${String(code)}, ${String(result)}`);
    const record = Buffer.from(koffi.view(found, image.bytes));
    const [width, height] = [record.readUInt32LE(image.shownWidth), record.readUInt32LE(image.shownHeight)];
    const stride = record.readInt32LE(image.strides);
    // Copied, because the decoder reuses the memory.
    const plane = Buffer.from(
      new Uint8Array(koffi.view(record.readBigUInt64LE(image.planes), stride * height)),
    );
    return { width, height, brightness: (x, y) => plane[y * stride + x]! };
  };
}
