/** Selects the lossy codec: video, or JPEG where the connection carries more than the device can encode as video. */
import type { RateController } from './rate-controller.ts';

type LossyCodec = 'video' | 'jpeg';

export interface CodecSelector {
  codec(): LossyCodec;
  /** Called after each lossy frame with the time its encoding took. */
  encoded(took: number, now: number): void;
}

/** Video stays selected while a frame takes no longer than this to encode. */
const slowMs = 14;
/** JPEG is tried once the delay has been below `nearMs` and has grown by less than `calmMs` for `calmForMs`. */
const [nearMs, calmMs, calmForMs] = [45, 20, 1_000];
/** JPEG is given up when the delay grows by this much. The pause before the next try doubles each time. */
const congestedMs = 60;
const [firstPause, longestPause] = [20_000, 300_000];
const weight = 0.1;

export function createCodecSelector(
  rateController: RateController,
  can: { video: boolean; jpeg: boolean },
): CodecSelector {
  let codec: LossyCodec = can.video ? 'video' : 'jpeg';
  let [mean, calmSince, notBefore, pause] = [0, -1, 0, firstPause];
  const isCalm = (): boolean => {
    const { shortest, excess } = rateController.delay();
    // If encoding takes longer than the delay has grown, the device is the bottleneck, not the connection.
    return shortest < nearMs && excess < Math.max(calmMs, mean);
  };

  return {
    codec: () => codec,
    encoded(took, now) {
      if (!can.video || !can.jpeg) return;
      if (codec === 'jpeg') {
        if (rateController.delay().excess <= congestedMs) return;
        [codec, notBefore, pause] = ['video', now + pause, Math.min(pause * 2, longestPause)];
        [mean, calmSince] = [0, -1];
        return;
      }
      mean = mean === 0 ? took : mean * (1 - weight) + took * weight;
      if (!isCalm()) calmSince = -1;
      else if (calmSince < 0) calmSince = now;
      else if (now - calmSince >= calmForMs && now >= notBefore && mean > slowMs) codec = 'jpeg';
    },
  };
}
