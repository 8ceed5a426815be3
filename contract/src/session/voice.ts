/** How voices travel in a call: plain samples, as every side can play them without a codec. 256 kbit/s each way. */

export const voice = {
  /** Samples of 16 bits, low byte first, one channel. */
  rate: 16_000,
  /** Bytes of one piece: 20 ms. */
  packetBytes: 640,
  /** A listener that is further behind than this lets the rest fall: old words are of no use. */
  maxLagBytes: 16_000,
} as const;
