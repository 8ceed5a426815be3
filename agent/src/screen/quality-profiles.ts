/** How the picture is balanced between sharp and fast: the numbers behind the operator's choice. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';

export type Quality = NonNullable<SessionMessage<'view'>['quality']>;

export interface QualityProfile {
  /** So many pixels that changed at once are sent exactly. */
  exact: number;
  /** The most that video may take, in thousands of bits in a second, and how fine and coarse it may be, 0 to 63. */
  bitrate: number;
  minQuantizer: number;
  maxQuantizer: number;
  /** The best JPEG, 1 to 100. */
  quality: number;
}

export const qualityProfiles: Record<Quality, QualityProfile> = {
  auto: { exact: 64 * 1_024, bitrate: 8_000, minQuantizer: 10, maxQuantizer: 52, quality: 80 },
  sharp: { exact: 192 * 1_024, bitrate: 24_000, minQuantizer: 4, maxQuantizer: 36, quality: 92 },
  fast: { exact: 24 * 1_024, bitrate: 3_000, minQuantizer: 20, maxQuantizer: 58, quality: 55 },
};

/** For a picture that rests, before it is made exact. */
export const polishProfile = { bitrate: 48_000, minQuantizer: 4, maxQuantizer: 14 } as const;
