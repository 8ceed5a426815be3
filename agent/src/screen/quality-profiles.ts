/** The quality settings behind the operator's choice between a sharp and a fast picture. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';

export type Quality = NonNullable<SessionMessage<'view'>['quality']>;

export interface QualityProfile {
  /** A change of up to this many pixels is sent exactly. */
  exact: number;
  /** The highest bitrate of video, in kbit/s. */
  bitrate: number;
  /** The range of VP8 quantizers, 0 (finest) to 63. */
  minQuantizer: number;
  maxQuantizer: number;
  /** The highest JPEG quality, 1 to 100. */
  quality: number;
  /** When a film is sent at half size while it runs. */
  half: 'always' | 'if_slow' | 'never';
}

export const qualityProfiles: Record<Quality, QualityProfile> = {
  auto: {
    exact: 64 * 1_024,
    bitrate: 8_000,
    minQuantizer: 10,
    maxQuantizer: 52,
    quality: 80,
    half: 'if_slow',
  },
  sharp: {
    exact: 192 * 1_024,
    bitrate: 24_000,
    minQuantizer: 4,
    maxQuantizer: 36,
    quality: 92,
    half: 'never',
  },
  fast: {
    exact: 24 * 1_024,
    bitrate: 3_000,
    minQuantizer: 20,
    maxQuantizer: 58,
    quality: 55,
    half: 'always',
  },
};

/** Video settings for a still screen, before it is made exact. */
export const polishProfile = { bitrate: 48_000, minQuantizer: 4, maxQuantizer: 14 } as const;
