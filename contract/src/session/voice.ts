/** Audio format of calls: uncompressed samples, because every side can play them without a codec. 256 kbit/s in each direction. */

export const voice = {
  /** 16-bit samples, little-endian, one channel. */
  rate: 16_000,
  /** Bytes of one packet: 20 ms. */
  packetBytes: 640,
  /** A listener that is further behind drops the rest, because late audio is useless. */
  maxLagBytes: 16_000,
} as const;
