/** Estimates the connection to the operator from acknowledgements: how many frames may be in flight, and at which bitrate. */
import { createFlowControl, type FlowControl } from '@drawbridge/contract/session/flow-control';

export interface RateController extends Omit<FlowControl, 'restart'> {
  /** The bitrate of video, in kbit/s. */
  bitrate(): number;
  /** The JPEG quality, 1 to 100. */
  quality(): number;
  limit(max: { bitrate: number; quality: number }): void;
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
    limit(max) {
      highest = max;
      [bitrate, quality] = [Math.min(bitrate, max.bitrate), Math.min(quality, max.quality)];
    },
  };
}
