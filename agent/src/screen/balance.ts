/** How the picture is balanced between sharp and fast: the numbers behind the operator's choice. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';

export type Quality = NonNullable<SessionMessage<'view'>['quality']>;

export interface Balance {
  /** So many pixels that changed at once are sent exactly. */
  exact: number;
  /** The most that video may take, in thousands of bits in a second, and how fine and coarse it may be, 0 to 63. */
  bitrate: number;
  finest: number;
  coarsest: number;
  /** The best JPEG, 1 to 100. */
  quality: number;
}

export const balances: Record<Quality, Balance> = {
  auto: { exact: 64 * 1_024, bitrate: 8_000, finest: 10, coarsest: 52, quality: 80 },
  sharp: { exact: 192 * 1_024, bitrate: 24_000, finest: 4, coarsest: 36, quality: 92 },
  fast: { exact: 24 * 1_024, bitrate: 3_000, finest: 20, coarsest: 58, quality: 55 },
};

/** For a picture that rests, before it is made exact. */
export const polish = { bitrate: 48_000, finest: 4, coarsest: 14 } as const;
