/** Decodes the video stream with WebCodecs. After an error it waits for the next key frame. */
import type { VideoUpdate } from '@drawbridge/contract/session/screen-frames';

export interface VideoStreamDecoder {
  /** Resolves with undefined for a picture that cannot be decoded or depends on one that could not. */
  decode(video: VideoUpdate): Promise<VideoFrame | undefined>;
  /** Discards all pending pictures. */
  restart(): void;
}

/** VP8 does not carry its colour space: it is sRGB, converted to YUV by ITU-R BT.601. */
const config: VideoDecoderConfig = {
  codec: 'vp8',
  optimizeForLatency: true,
  colorSpace: { primaries: 'bt709', transfer: 'iec61966-2-1', matrix: 'smpte170m', fullRange: false },
};

export async function canDecodeVideo(): Promise<boolean> {
  if (typeof VideoDecoder === 'undefined') return false;
  const { supported } = await VideoDecoder.isConfigSupported(config).catch(() => ({ supported: false }));
  return supported === true;
}

interface DecoderState {
  decoder: VideoDecoder | undefined;
  /** By the number of the picture. */
  pending: Map<number, (frame: VideoFrame | undefined) => void>;
  onFailed(): void;
}

export function createVideoStreamDecoder(onFailed: () => void): VideoStreamDecoder {
  const state: DecoderState = { decoder: undefined, pending: new Map(), onFailed };
  return {
    restart: () => restart(state),
    decode: (video) => decode(state, video),
  };
}

function decode(state: DecoderState, { number, key, data }: VideoUpdate): Promise<VideoFrame | undefined> {
  if (!state.decoder && !key) return Promise.resolve(undefined);
  state.decoder ??= startDecoder(state);
  const { promise, resolve } = Promise.withResolvers<VideoFrame | undefined>();
  state.pending.set(number, resolve);
  const chunk = new EncodedVideoChunk({ type: key ? 'key' : 'delta', timestamp: number, data });
  try {
    state.decoder.decode(chunk);
  } catch {
    fail(state);
  }
  return promise;
}

function startDecoder(state: DecoderState): VideoDecoder {
  const started = new VideoDecoder({
    output: (frame) => resolvePicture(state, frame.timestamp, frame),
    error: () => state.decoder === started && fail(state),
  });
  started.configure(config);
  return started;
}

function resolvePicture({ pending }: DecoderState, number: number, frame: VideoFrame | undefined): void {
  const resolve = pending.get(number);
  pending.delete(number);
  if (resolve) resolve(frame);
  else frame?.close();
}

function restart(state: DecoderState): void {
  if (state.decoder && state.decoder.state !== 'closed') state.decoder.close();
  state.decoder = undefined;
  for (const number of state.pending.keys()) resolvePicture(state, number, undefined);
}

function fail(state: DecoderState): void {
  restart(state);
  state.onFailed();
}
