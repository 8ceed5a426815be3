/** Which of the two lossy codecs large changes take: video, or JPEG where the link carries more than the device can encode. */
import type { RateController } from './rate-controller.ts';

export type LossyCodec = 'video' | 'jpeg';

export interface CodecSelector {
  codec(): LossyCodec;
  /** After each picture that went by video or JPEG, with the time its encoding took. */
  encoded(took: number, now: number): void;
}

/** Video that is encoded within this time is quick enough to stay with. */
const slowMs = 14;
/** JPEG is tried where pictures arrive so soon and do not come later and later, for as long as this. */
const [nearMs, calmMs, calmForMs] = [45, 20, 1_000];
/** It is given up when the delay grows by this, and not tried again for a time that doubles. */
const crowdedMs = 60;
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
    // While encoding takes longer than pictures are late, it is the device that holds them up and not the link.
    return shortest < nearMs && excess < Math.max(calmMs, mean);
  };

  return {
    codec: () => codec,
    encoded(took, now) {
      if (!can.video || !can.jpeg) return;
      if (codec === 'jpeg') {
        if (rateController.delay().excess <= crowdedMs) return;
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
