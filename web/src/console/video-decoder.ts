/** Decodes the pictures of the video stream with WebCodecs. After an error it waits for a whole picture. */
import type { VideoUpdate } from '@drawbridge/contract/session/screen-frames';

export interface VideoStreamDecoder {
  /** Undefined for a picture that can not be decoded, or that builds on one that could not. */
  decode(video: VideoUpdate): Promise<VideoFrame | undefined>;
  /** Forgets what came so far. */
  restart(): void;
}

/** VP8 does not say which colours it means: these are those of a screen, taken apart by ITU-R BT.601. */
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

export function createVideoStreamDecoder(failed: () => void): VideoStreamDecoder {
  const waiting = new Map<number, (frame: VideoFrame | undefined) => void>();
  let decoder: VideoDecoder | undefined;

  const resolvePicture = (number: number, frame: VideoFrame | undefined): void => {
    const resolve = waiting.get(number);
    waiting.delete(number);
    if (resolve) resolve(frame);
    else frame?.close();
  };
  const restart = (): void => {
    if (decoder && decoder.state !== 'closed') decoder.close();
    decoder = undefined;
    for (const number of waiting.keys()) resolvePicture(number, undefined);
  };
  const fail = (): void => {
    restart();
    failed();
  };
  const start = (): VideoDecoder => {
    const started = new VideoDecoder({
      output: (frame) => resolvePicture(frame.timestamp, frame),
      error: () => decoder === started && fail(),
    });
    started.configure(config);
    return started;
  };
  return {
    restart,
    decode({ number, key, data }) {
      if (!decoder && !key) return Promise.resolve(undefined);
      decoder ??= start();
      const { promise, resolve } = Promise.withResolvers<VideoFrame | undefined>();
      waiting.set(number, resolve);
      const chunk = new EncodedVideoChunk({ type: key ? 'key' : 'delta', timestamp: number, data });
      try {
        decoder.decode(chunk);
      } catch {
        fail();
      }
      return promise;
    },
  };
}
