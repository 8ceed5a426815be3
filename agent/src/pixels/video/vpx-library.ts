/** Loads libvpx and declares the functions that the video encoder calls. */
import { findLibrary, loadKoffi, type Koffi, type Library } from '../../platform/native.ts';
import { vpxNames } from './library-names.ts';
import { loadYuvConverter, type ConvertToYuv } from './yuv.ts';

type Call = ((...values: unknown[]) => unknown) & { async(...values: unknown[]): void };

export interface Vpx {
  koffi: Koffi;
  library: Record<'codec' | 'defaults' | 'init' | 'control' | 'set' | 'encode' | 'next' | 'destroy', Call>;
  convert: ConvertToYuv;
}

let loaded: Promise<Vpx | undefined> | undefined;

/** Resolves with undefined if there is no libvpx. */
export const loadVpx = (): Promise<Vpx | undefined> => (loaded ??= load());

async function load(): Promise<Vpx | undefined> {
  const koffi = await loadKoffi();
  const found = koffi && findLibrary(koffi, vpxNames());
  return koffi && found && { koffi, library: functionsOf(found), convert: await loadYuvConverter() };
}

const functionsOf = (library: Library): Vpx['library'] => ({
  codec: library.func('void* vpx_codec_vp8_cx()'),
  defaults: library.func('int vpx_codec_enc_config_default(void* codec, void* config, uint usage)'),
  init: library.func(
    'int vpx_codec_enc_init_ver(void* context, void* codec, void* config, long flags, int version)',
  ),
  control: library.func('int vpx_codec_control_(void* context, int id, ...)'),
  set: library.func('int vpx_codec_enc_config_set(void* context, void* config)'),
  encode: library.func(
    'int vpx_codec_encode(void* context, void* image, int64 time, ulong duration, long flags, ulong deadline)',
  ),
  next: library.func('void* vpx_codec_get_cx_data(void* context, void* iterator)'),
  destroy: library.func('int vpx_codec_destroy(void* context)'),
});
