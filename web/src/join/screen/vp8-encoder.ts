/** Encodes pictures as VP8 video with WebCodecs. */
import type { PictureEncoder, PictureEncoderOptions } from './picture-encoder.ts';
import type { SharedPicture } from './screen-share.ts';

/** The encoder gets a new bitrate when it has changed by this ratio, but not more often than this. */
const [minBitrateChange, minConfigureIntervalMs] = [0.2, 1_000];
/** The maximum number of pictures in the encoder, and the time after which one counts as dropped. */
const [maxInFlight, encodeTimeoutMs] = [2, 1_000];

const configOf = (width: number, height: number, bitrate: number): VideoEncoderConfig => ({
  codec: 'vp8',
  width,
  height,
  bitrate,
  framerate: 30,
  latencyMode: 'realtime',
  contentHint: 'detail',
});

export async function canEncodeVideo(): Promise<boolean> {
  if (typeof VideoEncoder === 'undefined' || typeof VideoFrame === 'undefined') return false;
  const { supported } = await VideoEncoder.isConfigSupported(configOf(1_280, 720, 1_000_000)).catch(() => ({
    supported: false,
  }));
  return supported === true;
}

const toMicroseconds = (ms: number): number => Math.round(ms * 1_000);

interface Vp8State {
  options: PictureEncoderOptions;
  /** Timestamps of the pictures in the encoder. */
  inFlight: Set<number>;
  configured: { bitrate: number; at: number };
  /** A key frame is needed and has not come out of the encoder yet. */
  needsKeyFrame: boolean;
  keyFrameRequestedAt: number;
}

export function createVp8Encoder(options: PictureEncoderOptions): PictureEncoder {
  const state: Vp8State = {
    options,
    inFlight: new Set(),
    configured: { bitrate: 0, at: -Infinity },
    needsKeyFrame: false,
    keyFrameRequestedAt: -Infinity,
  };
  const encoder = new VideoEncoder({
    output: (chunk) => receiveChunk(state, chunk),
    error: options.onFailure,
  });
  encoder.addEventListener('dequeue', options.onFree);
  return {
    codec: 'vp8',
    isBusy: () => isBusy(state, encoder),
    encode: ({ source }, whole) => encode(state, encoder, source, whole),
    close() {
      if (encoder.state !== 'closed') encoder.close();
    },
  };
}

function receiveChunk(state: Vp8State, chunk: EncodedVideoChunk): void {
  const { options, inFlight } = state;
  const data = new Uint8Array(chunk.byteLength);
  chunk.copyTo(data);
  for (const timestamp of inFlight) if (timestamp <= chunk.timestamp) inFlight.delete(timestamp);
  if (chunk.type === 'key') state.needsKeyFrame = false;
  options.onVideo(data, chunk.type === 'key');
  options.onFree();
}

function isBusy({ options, inFlight }: Vp8State, encoder: VideoEncoder): boolean {
  const oldest = toMicroseconds(options.now() - encodeTimeoutMs);
  for (const timestamp of inFlight) if (timestamp < oldest) inFlight.delete(timestamp);
  return encoder.encodeQueueSize > 0 || inFlight.size >= maxInFlight;
}

function encode(
  state: Vp8State,
  encoder: VideoEncoder,
  source: SharedPicture['source'],
  whole: boolean,
): void {
  if (encoder.state === 'closed') return;
  const now = state.options.now();
  configureBitrate(state, encoder, now);
  const keyFrame = mustBeKeyFrame(state, whole, now);
  const timestamp = toMicroseconds(now);
  const frame = new VideoFrame(source, { timestamp });
  state.inFlight.add(timestamp);
  encoder.encode(frame, { keyFrame });
  frame.close();
}

function configureBitrate(state: Vp8State, encoder: VideoEncoder, now: number): void {
  const { options, configured } = state;
  const bitrate = options.bitrate();
  const change = Math.abs(bitrate - configured.bitrate) / bitrate;
  if (change < minBitrateChange || now - configured.at < minConfigureIntervalMs) return;
  state.configured = { bitrate, at: now };
  encoder.configure(configOf(options.width, options.height, bitrate));
}

/** The encoder may drop a picture, even one requested as key frame: then the request is repeated after a timeout. */
function mustBeKeyFrame(state: Vp8State, whole: boolean, now: number): boolean {
  if (whole) {
    state.needsKeyFrame = true;
    state.keyFrameRequestedAt = -Infinity;
  }
  const isDue = state.needsKeyFrame && now - state.keyFrameRequestedAt > encodeTimeoutMs;
  if (isDue) state.keyFrameRequestedAt = now;
  return isDue;
}
