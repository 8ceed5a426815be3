/** The way to the operator as its acknowledgements show it: how many pictures may be under way, and how much it carries. */
import { createFlowControl, type FlowControl } from '@drawbridge/contract/session/flow-control';

export interface RateController extends Omit<FlowControl, 'restart'> {
  /** Thousands of bits in a second that video may take. */
  bitrate(): number;
  /** Of JPEG, 1 to 100. */
  quality(): number;
  limit(most: { bitrate: number; quality: number }): void;
}

const lowest = { bitrate: 300, quality: 35 };
const first = { bitrate: 4_000, quality: 75 };

export function createRateController(): RateController {
  let highest = { bitrate: 8_000, quality: 80 };
  let { bitrate, quality } = first;

  const steps = {
    less: () => ([bitrate, quality] = [bitrate * 0.75, quality - 5]),
    more: () => ([bitrate, quality] = [bitrate * 1.08 + 20, quality + 1]),
  };
  const flow = createFlowControl({
    maxInFlight: 12,
    frameIntervalMs: 33,
    adjust(to) {
      steps[to]();
      bitrate = Math.min(Math.max(bitrate, lowest.bitrate), highest.bitrate);
      quality = Math.min(Math.max(quality, lowest.quality), highest.quality);
    },
  });

  return {
    ...flow,
    bitrate: () => Math.round(bitrate),
    quality: () => Math.round(quality),
    limit(given) {
      highest = given;
      [bitrate, quality] = [Math.min(bitrate, given.bitrate), Math.min(quality, given.quality)];
    },
  };
}
