/** Selects the lossy codec: video, or JPEG where frames then reach the operator sooner, by what was measured. */
import type { VideoCodec } from '../pixels/video/video-encoder.ts';
import type { RateController } from './rate-controller.ts';

type LossyCodec = 'video' | 'jpeg';

export interface CodecSelector {
  codec(): LossyCodec;
  /** Starts over with video of this codec; undefined if there is none. */
  use(video: Pick<VideoCodec, 'slowMs'> | undefined): void;
  /** Whether video of full size takes longer than it should, by what was measured last. */
  isVideoSlow(): boolean;
  /** Called after each lossy frame with the time its encoding took. */
  encoded(took: number, now: number): void;
}

/** JPEG is tried once the delay has been below `nearMs` and has grown by less than `calmMs` for `calmForMs`. */
const [nearMs, calmMs, calmForMs] = [45, 20, 1_000];
/** The first acknowledgements after a change are those of the other codec; the frames after them are the trial. */
const [settleFrames, trialFrames] = [3, 5];
/** After the trial JPEG must cost less than video by this factor. */
const gainFactor = 0.9;
/** JPEG is given up when the delay grows by this much. The pause before the next try doubles each time. */
const congestedMs = 60;
const [firstPause, longestPause] = [20_000, 300_000];
const weight = 0.1;

interface State {
  codec: LossyCodec;
  /** Video stays selected while a frame takes no longer than this to encode; undefined if there is no video. */
  slowMs: number | undefined;
  /** Mean milliseconds that video took to encode, and until it was acknowledged; 0 if not measured. */
  videoEncoding: number;
  videoCost: number;
  /** The same of JPEG until it was acknowledged, in its trial. */
  jpegCost: number;
  /** Frames since JPEG was selected. */
  jpegFrames: number;
  calmSince: number;
  /** JPEG is not tried before this time. */
  notBefore: number;
  pause: number;
}

const startOf = (slowMs: number | undefined): State => ({
  codec: slowMs === undefined ? 'jpeg' : 'video',
  slowMs,
  videoEncoding: 0,
  videoCost: 0,
  jpegCost: 0,
  jpegFrames: 0,
  calmSince: -1,
  notBefore: 0,
  pause: firstPause,
});

export function createCodecSelector(rateController: RateController, can: { jpeg: boolean }): CodecSelector {
  let state = startOf(undefined);
  return {
    codec: () => state.codec,
    use(video) {
      if (video?.slowMs !== state.slowMs) state = startOf(video?.slowMs);
    },
    isVideoSlow: () => state.codec === 'jpeg' || isSlow(state),
    encoded(took, now) {
      if (state.codec === 'video') state.videoEncoding = meanOf(state.videoEncoding, took);
      if (state.slowMs === undefined || !can.jpeg) return;
      const delay = rateController.delay();
      if (state.codec === 'jpeg') judgeJpeg(state, took, delay, now);
      else considerJpeg(state, took, delay, now);
    },
  };
}

const isSlow = ({ videoEncoding, slowMs }: State): boolean => slowMs !== undefined && videoEncoding > slowMs;

type Delay = ReturnType<RateController['delay']>;

const meanOf = (mean: number, next: number): number =>
  mean === 0 ? next : mean * (1 - weight) + next * weight;

function considerJpeg(state: State, took: number, { shortest, excess, last }: Delay, now: number): void {
  state.videoCost = meanOf(state.videoCost, took + last);
  // If encoding takes longer than the delay has grown, the device is the bottleneck, not the connection.
  const isCalm = shortest < nearMs && excess < Math.max(calmMs, state.videoEncoding);
  if (!isCalm) state.calmSince = -1;
  else if (state.calmSince < 0) state.calmSince = now;
  else if (now - state.calmSince >= calmForMs && now >= state.notBefore && isSlow(state))
    Object.assign(state, { codec: 'jpeg', jpegFrames: 0, jpegCost: 0 });
}

function judgeJpeg(state: State, took: number, { excess, last }: Delay, now: number): void {
  state.jpegFrames += 1;
  if (excess > congestedMs) return giveUpJpeg(state, now);
  const isTrial = state.jpegFrames > settleFrames && state.jpegFrames <= settleFrames + trialFrames;
  if (!isTrial) return;
  state.jpegCost += (took + last) / trialFrames;
  const isOver = state.jpegFrames === settleFrames + trialFrames;
  if (isOver && state.jpegCost > state.videoCost * gainFactor) giveUpJpeg(state, now);
}

function giveUpJpeg(state: State, now: number): void {
  state.codec = 'video';
  [state.videoEncoding, state.videoCost, state.calmSince] = [0, 0, -1];
  [state.notBefore, state.pause] = [now + state.pause, Math.min(state.pause * 2, longestPause)];
}
