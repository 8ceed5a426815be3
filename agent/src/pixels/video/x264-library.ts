/** Loads the system's libx264 and declares the functions and memory layout that the H.264 encoder uses. */
import { loadKoffi, type Koffi } from '../../platform/native.ts';
import { loadYuvConverter, type ConvertToYuv } from './yuv.ts';

type Call = ((...values: unknown[]) => unknown) & { async(...values: unknown[]): void };

export interface X264 {
  koffi: Koffi;
  library: Record<'preset' | 'set' | 'profile' | 'open' | 'picture' | 'encode' | 'close', Call>;
  convert: ConvertToYuv;
}

/** The versions whose structures begin as described below. Others are refused. */
const versions = [164, 165, 163, 161, 160, 159, 157, 155];

/** Fields of x264_param_t on 64-bit systems. All other settings are made by name, with `x264_param_parse`. */
export const parameters = { bytes: 4_096, width: 28, height: 32, chroma: 36, depth: 40, level: 44 } as const;

/** Fields of x264_picture_t. */
export const picture = {
  bytes: 1_024,
  type: 0,
  quantizerPlus1: 4,
  time: 16,
  chroma: 40,
  planeCount: 44,
  strides: 48,
  planes: 64,
} as const;

/** Fields of x264_nal_t. The data of all units of a frame is contiguous. */
export const unit = { bytes: 40, data: 24 } as const;

export const planar420 = 2;
export const keyFrame = 1;

/** Resolves with undefined if the system has no libx264, or none of a known version. */
export async function loadX264(): Promise<X264 | undefined> {
  const koffi = await loadKoffi();
  for (const version of koffi ? versions : [])
    try {
      const library = functionsOf(koffi!, version);
      if (hasKnownLayout(library)) return { koffi: koffi!, library, convert: await loadYuvConverter() };
    } catch {
      continue;
    }
  return undefined;
}

function functionsOf(koffi: Koffi, version: number): X264['library'] {
  const library = koffi.load(`libx264.so.${version}`);
  return {
    preset: library.func('int x264_param_default_preset(void* parameters, str preset, str tune)'),
    set: library.func('int x264_param_parse(void* parameters, str name, str value)'),
    profile: library.func('int x264_param_apply_profile(void* parameters, str name)'),
    open: library.func(`void* x264_encoder_open_${version}(void* parameters)`),
    picture: library.func('void x264_picture_init(void* picture)'),
    encode: library.func(
      'int x264_encoder_encode(void* encoder, void* units, void* count, void* picture, void* coded)',
    ),
    close: library.func('void x264_encoder_close(void* encoder)'),
  };
}

/** Builds of other projects may differ under the same version. The defaults must be where they are expected. */
function hasKnownLayout({ preset }: X264['library']): boolean {
  const values = Buffer.alloc(parameters.bytes);
  if (preset(values, 'ultrafast', 'zerolatency') !== 0) return false;
  const { width, height, chroma, depth, level } = parameters;
  const found = [width, height, chroma, depth, level].map((at) => values.readInt32LE(at));
  return found.join() === [0, 0, planar420, 8, -1].join();
}
