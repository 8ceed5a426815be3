/** How libvpx lays out what it is given: the places of numbers in its records, on systems with addresses of 8 bytes. */

/** In vpx_codec_enc_cfg. New fields have only ever been added behind these. */
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

/** In vpx_image. */
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

/** In vpx_active_map. */
export const activeMap = { bytes: 16, map: 0, rows: 8, columns: 12 } as const;

/** In vpx_codec_cx_pkt. */
export const packet = { bytes: 48, kind: 0, data: 8, size: 16, flags: 40 } as const;

export const contextBytes = 512;
export const i420 = 0x102;
export const constantBitrate = 1;
export const keyFlag = 1;
export const realTime = 1;
/** What the library answers to a program that was built for another version of it. */
export const otherVersion = 3;
export const newestVersion = 80;

/** Numbers of what can be set while it runs. */
export const controls = {
  activeMap: 9,
  speed: 13,
  staticThreshold: 17,
  largestKeyFrame: 26,
  screenContent: 31,
} as const;
