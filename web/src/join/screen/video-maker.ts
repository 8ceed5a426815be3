/** Pictures as video, encoded by the browser. */
import type { Maker, MakerOptions } from './maker.ts';

/** The rate is told to the encoder when it has changed by this part, and not more often than this. */
const [noticeable, everyMs] = [0.2, 1_000];
/** So many pictures are in the encoder at most; one that it let fall is not waited for longer than this. */
const [mostInside, patienceMs] = [2, 1_000];

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

export function createVideoMaker(options: MakerOptions): Maker {
  const { width, height, onVideo, onFree, onFailure } = options;
  const inside = new Set<number>();
  let told = { bitrate: 0, at: -Infinity };
  let wholeAskedAt = -Infinity;
  let isWhole = false;
  const encoder = new VideoEncoder({
    output(chunk) {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      for (const timestamp of inside) if (timestamp <= chunk.timestamp) inside.delete(timestamp);
      if (chunk.type === 'key') isWhole = false;
      onVideo(data, chunk.type === 'key');
      onFree();
    },
    error: onFailure,
  });
  encoder.addEventListener('dequeue', onFree);

  const tell = (now: number): void => {
    const bitrate = options.bitrate();
    const change = Math.abs(bitrate - told.bitrate) / bitrate;
    if (change < noticeable || now - told.at < everyMs) return;
    told = { bitrate, at: now };
    encoder.configure(configOf(width, height, bitrate));
  };

  return {
    codec: 'vp8',
    isBusy() {
      const oldest = micro(options.now() - patienceMs);
      for (const timestamp of inside) if (timestamp < oldest) inside.delete(timestamp);
      return encoder.encodeQueueSize > 0 || inside.size >= mostInside;
    },
    make({ source }, whole) {
      if (encoder.state === 'closed') return;
      const now = options.now();
      tell(now);
      if (whole) [isWhole, wholeAskedAt] = [true, -Infinity];
      // The encoder may let fall a picture, also one that was to be whole: then it is asked again.
      const keyFrame = isWhole && now - wholeAskedAt > patienceMs;
      if (keyFrame) wholeAskedAt = now;
      const timestamp = micro(now);
      const frame = new VideoFrame(source, { timestamp });
      inside.add(timestamp);
      encoder.encode(frame, { keyFrame });
      frame.close();
    },
    close() {
      if (encoder.state !== 'closed') encoder.close();
    },
  };
}
