/** The format of the sound of a device: Opus packets with two channels. About 99 kbit/s while something is heard, otherwise nothing. */

export const sound = {
  /** Samples per second of each channel. */
  rate: 48_000,
  channels: 2,
  /** Samples of each channel in one packet: 20 ms. `at` of a packet counts such samples. */
  packetSamples: 960,
  /** Opus allows no larger packet of 20 ms. */
  maxPacketBytes: 1_275,
} as const;
