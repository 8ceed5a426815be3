/** Pictures as video, encoded by the browser. */
import type { PictureEncoder, PictureEncoderOptions } from './picture-encoder.ts';

/** The rate is told to the encoder when it has changed by this part, and not more often than this. */
const [minBitrateChange, minConfigureIntervalMs] = [0.2, 1_000];
/** So many pictures are in the encoder at most; one that it let fall is not waited for longer than this. */
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

const micro = (ms: number): number => Math.round(ms * 1_000);

export function createVp8Encoder(options: PictureEncoderOptions): PictureEncoder {
  const { width, height, onVideo, onFree, onFailure } = options;
  const inFlight = new Set<number>();
  let configured = { bitrate: 0, at: -Infinity };
  let wholeAskedAt = -Infinity;
  let isWhole = false;
  const encoder = new VideoEncoder({
    output(chunk) {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      for (const timestamp of inFlight) if (timestamp <= chunk.timestamp) inFlight.delete(timestamp);
      if (chunk.type === 'key') isWhole = false;
      onVideo(data, chunk.type === 'key');
      onFree();
    },
    error: onFailure,
  });
  encoder.addEventListener('dequeue', onFree);

  const configureBitrate = (now: number): void => {
    const bitrate = options.bitrate();
    const change = Math.abs(bitrate - configured.bitrate) / bitrate;
    if (change < minBitrateChange || now - configured.at < minConfigureIntervalMs) return;
    configured = { bitrate, at: now };
    encoder.configure(configOf(width, height, bitrate));
  };

  return {
    codec: 'vp8',
    isBusy() {
      const oldest = micro(options.now() - encodeTimeoutMs);
      for (const timestamp of inFlight) if (timestamp < oldest) inFlight.delete(timestamp);
      return encoder.encodeQueueSize > 0 || inFlight.size >= maxInFlight;
    },
    encode({ source }, whole) {
      if (encoder.state === 'closed') return;
      const now = options.now();
      configureBitrate(now);
      if (whole) [isWhole, wholeAskedAt] = [true, -Infinity];
      // The encoder may let fall a picture, also one that was to be whole: then it is asked again.
      const keyFrame = isWhole && now - wholeAskedAt > encodeTimeoutMs;
      if (keyFrame) wholeAskedAt = now;
      const timestamp = micro(now);
      const frame = new VideoFrame(source, { timestamp });
      inFlight.add(timestamp);
      encoder.encode(frame, { keyFrame });
      frame.close();
    },
    close() {
      if (encoder.state !== 'closed') encoder.close();
    },
  };
}
