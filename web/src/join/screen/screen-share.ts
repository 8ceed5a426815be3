/** The screen that the person shares: its newest picture, and who wants to hear of the next one. */
import type { Clock } from '../../session/clock.ts';

/** What can be drawn and encoded. It is good until the next picture comes. */
export interface SharedPicture {
  source: VideoFrame | HTMLVideoElement;
  width: number;
  height: number;
}

export interface ScreenShare {
  readonly picture: SharedPicture | undefined;
  onPicture(listener: () => void): () => void;
  /** Calls every quarter of a second while the screen is shared. */
  onTick(listener: () => void): () => void;
  stop(): void;
  /** Settles when the person has stopped it, here or in the browser's own bar. */
  readonly ended: Promise<void>;
}

/** Larger screens are made smaller by the browser: encoding them would take all of a processor. */
const largest = { width: { max: 1_920 }, height: { max: 1_200 } };
const tickMs = 250;

const displayMediaOptions: DisplayMediaStreamOptions & Record<string, unknown> = {
  video: { ...largest, frameRate: { max: 30 }, displaySurface: 'monitor' },
  audio: false,
  surfaceSwitching: 'include',
  selfBrowserSurface: 'exclude',
};

/** Undefined when the person would rather not, or the browser does not allow it. */
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
  /** Looks whether there is something new; absent where the browser tells. */
  poll?(): void;
  close(): void;
}

type Processor = new (init: { track: MediaStreamTrack }) => { readable: ReadableStream<VideoFrame> };
const { MediaStreamTrackProcessor } = globalThis as { MediaStreamTrackProcessor?: Processor };
const hasProcessor = (): boolean => MediaStreamTrackProcessor !== undefined;

/** The browser hands over each picture, also while nobody looks at this page. */
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

/** Elsewhere the pictures are played, and looked at: as they come while the page is seen, by the clock when it is not. */
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
