/** Adapts the rate and the quality of pictures for one operator to the acknowledgements. */
import { createFlowControl, type FlowControl } from '@drawbridge/contract/session/flow-control';

type EncodingQuality = 'auto' | 'sharp' | 'fast';

export interface RateControl extends Omit<FlowControl, 'delay'> {
  /** The limit for video, in bits per second. */
  bitrate(): number;
  /** The quality of JPEG, from 0 to 1. */
  jpeg(): number;
  setQuality(quality: EncodingQuality): void;
}

const presets: Record<EncodingQuality, { bitrate: number; jpeg: number }> = {
  auto: { bitrate: 6_000_000, jpeg: 0.75 },
  sharp: { bitrate: 16_000_000, jpeg: 0.9 },
  fast: { bitrate: 2_000_000, jpeg: 0.5 },
};
const lowest = { bitrate: 250_000, jpeg: 0.3 };
const initial = { bitrate: 3_000_000, jpeg: 0.7 };

export function createRateControl(): RateControl {
  let highest = presets.auto;
  let { bitrate, jpeg } = initial;

  const limit = (): void => {
    bitrate = Math.min(Math.max(bitrate, lowest.bitrate), highest.bitrate);
    jpeg = Math.min(Math.max(jpeg, lowest.jpeg), highest.jpeg);
  };
  const steps = {
    less: () => ([bitrate, jpeg] = [bitrate * 0.75, jpeg - 0.05]),
    more: () => ([bitrate, jpeg] = [bitrate * 1.08 + 20_000, jpeg + 0.01]),
  };
  const flow = createFlowControl({
    maxInFlight: 10,
    frameIntervalMs: 40,
    adjust(to) {
      steps[to]();
      limit();
    },
  });

  return {
    ...flow,
    bitrate: () => Math.round(bitrate),
    jpeg: () => jpeg,
    setQuality(quality) {
      highest = presets[quality];
      if (quality === 'sharp') [bitrate, jpeg] = [highest.bitrate / 2, highest.jpeg];
      limit();
    },
  };
}
