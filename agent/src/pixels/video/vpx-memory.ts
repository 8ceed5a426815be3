/** The memory layout of libvpx: offsets of the fields in its structures on 64-bit systems. */

/** Fields of vpx_codec_enc_cfg. libvpx has only ever added new fields after these. */
export const configuration = {
  bytes: 4_096,
  threads: 4,
  width: 12,
  height: 16,
  timeNumerator: 28,
  timeDenominator: 32,
  errorResilient: 36,
  lag: 44,
  endUsage: 72,
  bitrate: 112,
  lowestQuantizer: 116,
  highestQuantizer: 120,
  undershoot: 124,
  overshoot: 128,
  bufferSize: 132,
  bufferInitial: 136,
  bufferOptimal: 140,
  keyFrameMode: 160,
} as const;

/** Fields of vpx_image. */
export const image = {
  bytes: 512,
  format: 0,
  width: 12,
  height: 16,
  depth: 20,
  shownWidth: 24,
  shownHeight: 28,
  chromaShiftX: 40,
  chromaShiftY: 44,
  planes: 48,
  strides: 80,
  bitsPerSample: 96,
} as const;

/** Fields of vpx_active_map. */
export const activeMap = { bytes: 16, map: 0, rows: 8, columns: 12 } as const;

/** Fields of vpx_codec_cx_pkt. */
export const packet = { bytes: 48, kind: 0, data: 8, size: 16 } as const;

export const contextBytes = 512;
export const i420 = 0x102;
export const constantBitrate = 1;
export const keyFlag = 1;
export const realTime = 1;
/** The result code for a caller that was built for another ABI version. */
export const otherVersion = 3;
export const newestVersion = 80;

/** Ids of the settings that can change while the encoder runs. */
export const controls = {
  activeMap: 9,
  speed: 13,
  staticThreshold: 17,
  largestKeyFrame: 26,
  screenContent: 31,
} as const;
