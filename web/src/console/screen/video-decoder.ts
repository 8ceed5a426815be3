/** Decodes the video stream with WebCodecs. After an error it waits for the next key frame. */
import type { VideoUpdate } from '@drawbridge/contract/session/screen-frames';

export interface VideoStreamDecoder {
  /** Resolves with undefined for a picture that cannot be decoded or depends on one that could not. */
  decode(video: VideoUpdate): Promise<VideoFrame | undefined>;
  /** Discards all pending pictures. */
  restart(): void;
}

type Codec = 'vp8' | 'h264';

/** VP8 does not carry its colour space: it is sRGB, converted to YUV by ITU-R BT.601. H.264 says the same in its data. */
const config = {
  optimizeForLatency: true,
  colorSpace: { primaries: 'bt709', transfer: 'iec61966-2-1', matrix: 'smpte170m', fullRange: false },
} as const;

const configs: Record<Codec, VideoDecoderConfig> = {
  vp8: { ...config, codec: 'vp8' },
  // The constrained baseline profile, up to 3840 × 2160. Without a description the data has start codes.
  h264: { ...config, codec: 'avc1.42E033' },
};

async function canDecode(codec: Codec): Promise<boolean> {
  if (typeof VideoDecoder === 'undefined') return false;
  const { supported } = await VideoDecoder.isConfigSupported(configs[codec]).catch(() => ({
    supported: false,
  }));
  return supported === true;
}

/** What the browser can decode, as the message to the device says it. */
export async function findVideoCodecs(): Promise<{ video: boolean; half: boolean; h264: boolean }> {
  const [video, h264] = await Promise.all([canDecode('vp8'), canDecode('h264')]);
  return { video, half: video, h264 };
}

interface DecoderState {
  decoder: VideoDecoder | undefined;
  codec: Codec;
  /** By the number of the picture. */
  pending: Map<number, (frame: VideoFrame | undefined) => void>;
  onFailed(): void;
}

export function createVideoStreamDecoder(onFailed: () => void): VideoStreamDecoder {
  const state: DecoderState = { decoder: undefined, codec: 'vp8', pending: new Map(), onFailed };
  return {
    restart: () => restart(state),
    decode: (video) => decode(state, video),
  };
}

function decode(state: DecoderState, video: VideoUpdate): Promise<VideoFrame | undefined> {
  const { number, key, data } = video;
  useCodec(state, video.h264 ? 'h264' : 'vp8');
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

/** The pictures before a change of the codec are still decoded. */
function useCodec(state: DecoderState, codec: Codec): void {
  if (state.codec === codec) return;
  const { decoder } = state;
  [state.codec, state.decoder] = [codec, undefined];
  if (decoder?.state !== 'configured') return;
  void decoder.flush().then(
    () => decoder.close(),
    () => fail(state),
  );
}

function startDecoder(state: DecoderState): VideoDecoder {
  const started = new VideoDecoder({
    output: (frame) => resolvePicture(state, frame.timestamp, frame),
    error: () => state.decoder === started && fail(state),
  });
  started.configure(configs[state.codec]);
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
