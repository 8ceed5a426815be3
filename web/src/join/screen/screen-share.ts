/** The screen that the person shares: its latest picture and the listeners for new ones. */
import type { Clock } from '@drawbridge/session/ports';

/** A picture to draw and encode. It is valid until the next picture arrives. */
export interface SharedPicture {
  source: VideoFrame | HTMLVideoElement;
  width: number;
  height: number;
}

export interface ScreenShare {
  readonly picture: SharedPicture | undefined;
  onPicture(listener: () => void): () => void;
  /** Called every 250 ms while the screen is shared. */
  onTick(listener: () => void): () => void;
  stop(): void;
  /** Resolves when the person stops sharing, on the page or in the browser's own bar. */
  readonly ended: Promise<void>;
}

/** The browser scales larger screens down: encoding them would use a whole processor. */
const maxSize = { width: { max: 1_920 }, height: { max: 1_200 } };
const tickMs = 250;

const displayMediaOptions: DisplayMediaStreamOptions & Record<string, unknown> = {
  video: { ...maxSize, frameRate: { max: 30 }, displaySurface: 'monitor' },
  audio: false,
  surfaceSwitching: 'include',
  selfBrowserSurface: 'exclude',
};

/** Resolves with undefined when the person or the browser refuses. */
export async function shareScreen(clock: Pick<Clock, 'every'>): Promise<ScreenShare | undefined> {
  try {
    const stream = await navigator.mediaDevices.getDisplayMedia(displayMediaOptions);
    return createScreenShare(stream.getVideoTracks()[0]!, stream, clock);
  } catch {
    return undefined;
  }
}

function createScreenShare(
  track: MediaStreamTrack,
  stream: MediaStream,
  clock: Pick<Clock, 'every'>,
): ScreenShare {
  const [listeners, tickers] = [new Set<() => void>(), new Set<() => void>()];
  const ended = Promise.withResolvers<void>();
  let picture: SharedPicture | undefined;
  track.contentHint = 'detail';
  const setPicture = (next: SharedPicture): void => {
    release(picture, next);
    picture = next;
    for (const listener of listeners) listener();
  };
  const source = hasProcessor() ? readTrack(track, setPicture) : playStream(stream, setPicture);
  const stopTicks = clock.every(tickMs, () => {
    source.poll?.();
    for (const listener of tickers) listener();
  });
  const stop = (): void => {
    track.stop();
    stopTicks();
    source.close();
    release(picture, undefined);
    picture = undefined;
    ended.resolve();
  };
  track.addEventListener('ended', stop);
  return {
    get picture() {
      return picture;
    },
    onPicture: (listener) => addListener(listeners, listener),
    onTick: (listener) => addListener(tickers, listener),
    stop,
    ended: ended.promise,
  };
}

function addListener(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function release(before: SharedPicture | undefined, next: SharedPicture | undefined): void {
  if (before && before.source !== next?.source && 'close' in before.source) before.source.close();
}

interface PictureSource {
  /** Checks for a new picture; absent where the browser delivers each picture. */
  poll?(): void;
  close(): void;
}

type Processor = new (init: { track: MediaStreamTrack }) => { readable: ReadableStream<VideoFrame> };
const { MediaStreamTrackProcessor } = globalThis as { MediaStreamTrackProcessor?: Processor };
const hasProcessor = (): boolean => MediaStreamTrackProcessor !== undefined;

/** The browser delivers each picture, also while the page is hidden. */
function readTrack(track: MediaStreamTrack, setPicture: (picture: SharedPicture) => void): PictureSource {
  const reader = new MediaStreamTrackProcessor!({ track }).readable.getReader();
  const read = async (): Promise<void> => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      setPicture({ source: value, width: value.displayWidth, height: value.displayHeight });
    }
  };
  void read();
  return { close: () => void reader.cancel().catch(() => undefined) };
}

/** For other browsers: plays the stream in a video element. Frame callbacks stop in a hidden page, polling does not. */
function playStream(stream: MediaStream, setPicture: (picture: SharedPicture) => void): PictureSource {
  const video = document.createElement('video');
  let isOver = false;
  video.muted = true;
  video.srcObject = stream;
  void video.play();
  const poll = (): void => {
    if (isOver || video.videoWidth === 0) return;
    setPicture({ source: video, width: video.videoWidth, height: video.videoHeight });
  };
  const next = (): void => {
    poll();
    if (!isOver) video.requestVideoFrameCallback(next);
  };
  video.requestVideoFrameCallback(next);
  return {
    poll,
    close() {
      isOver = true;
      video.srcObject = null;
    },
  };
}
