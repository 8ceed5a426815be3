/** The device's screen on a canvas: copied areas, lossless tiles and video, drawn in the order of arrival. */
import type { TileUpdate, VideoUpdate } from '@drawbridge/contract/session/screen-frames';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { areTilesFit, isScreenFit, isVideoFit } from './picture-limits.ts';
import { createPictureQueue, type Draw, type PictureQueue } from './picture-queue.ts';
import { decodeTileImages } from './tile-decoder.ts';
import { createVideoStreamDecoder, findVideoCodecs, type VideoStreamDecoder } from './video-decoder.ts';

export interface RemoteScreen {
  canvas: HTMLCanvasElement;
  readonly layout: SessionMessage<'layout'> | undefined;
  /** Pictures drawn so far. */
  readonly drawn: number;
  onLayout(listener: () => void): void;
  /** Calls the listener when the canvas has changed; the result unsubscribes. */
  onPicture(listener: () => void): () => void;
  /** Asks the device for a complete picture, at the start and after a reconnect. */
  begin(more?: SessionMessage<'view'>): void;
  /** Removes the picture, because the screen is no longer shown. */
  clear(): void;
}

type ScreenSession = Pick<RemoteSession, 'on' | 'send'>;

interface ScreenState {
  session: ScreenSession;
  canvas: HTMLCanvasElement;
  context: CanvasRenderingContext2D;
  layout: SessionMessage<'layout'> | undefined;
  layoutListeners: Set<() => void>;
  pictureListeners: Set<() => void>;
  /** The last layout that was received. It limits the pictures after it, even before it is applied. */
  announced: { width: number; height: number };
  /** Resolves when the tiles received so far are decoded. */
  decoding: Promise<unknown>;
  drawn: number;
  codecs: ReturnType<typeof findVideoCodecs>;
  videoDecoder: VideoStreamDecoder;
  queue: PictureQueue;
}

export function createRemoteScreen(session: ScreenSession): RemoteScreen {
  const state = createScreenState(session);
  session.on('tiles', (tiles) => receiveTiles(state, tiles));
  session.on('video', (video) => receiveVideo(state, video));
  session.on('layout', (layout) => receiveLayout(state, layout));
  return {
    canvas: state.canvas,
    get layout() {
      return state.layout;
    },
    get drawn() {
      return state.drawn;
    },
    onLayout: (listener) => void state.layoutListeners.add(listener),
    onPicture(listener) {
      state.pictureListeners.add(listener);
      return () => state.pictureListeners.delete(listener);
    },
    begin: (more) => begin(state, more),
    clear: () => clear(state),
  };
}

function createScreenState(session: ScreenSession): ScreenState {
  const canvas = document.createElement('canvas');
  const requestFresh = (): void => void session.send('view', { fresh: true });
  return {
    session,
    canvas,
    context: canvas.getContext('2d', { alpha: false })!,
    layout: undefined,
    layoutListeners: new Set(),
    pictureListeners: new Set(),
    announced: { width: 0, height: 0 },
    decoding: Promise.resolve(),
    drawn: 0,
    codecs: findVideoCodecs(),
    videoDecoder: createVideoStreamDecoder(requestFresh),
    queue: createPictureQueue(requestFresh),
  };
}

function begin({ session, codecs, videoDecoder }: ScreenState, more: SessionMessage<'view'> = {}): void {
  videoDecoder.restart();
  void codecs.then((can) => session.send('view', { ...more, ...can, fresh: true }));
}

function receiveTiles(state: ScreenState, tiles: TileUpdate): void {
  const isFit = areTilesFit(tiles.tiles, state.announced);
  // One message at a time, because the device could otherwise make the page use any amount of memory.
  const decoded = state.decoding.then(() => (isFit ? decodeTiles(state.context, tiles) : rejectUnfit()));
  state.decoding = decoded.catch(() => {});
  showPicture(state, tiles.number, decoded);
}

function receiveVideo(state: ScreenState, video: VideoUpdate): void {
  const isFit = isVideoFit(video, state.announced);
  const decoded = isFit ? state.videoDecoder.decode(video) : rejectUnfit();
  showPicture(
    state,
    video.number,
    decoded.then((frame) => frame && (() => drawVideo(state.context, video, frame))),
  );
}

function showPicture(state: ScreenState, number: number, decoded: Promise<Draw>): void {
  state.queue.add(decoded, () => {
    state.drawn += 1;
    state.session.send('shown', number);
    notify(state.pictureListeners);
  });
}

function receiveLayout(state: ScreenState, layout: SessionMessage<'layout'>): void {
  if (!isScreenFit(layout)) return;
  state.announced = layout;
  const apply = (): void => {
    state.layout = layout;
    resize(state.canvas, layout);
    notify(state.layoutListeners);
  };
  state.queue.add(Promise.resolve(apply), () => {});
}

/** After the pictures that were received before. */
const clear = ({ context, canvas, queue, pictureListeners }: ScreenState): void =>
  queue.add(
    Promise.resolve(() => context.fillRect(0, 0, canvas.width, canvas.height)),
    () => notify(pictureListeners),
  );

const notify = (listeners: ReadonlySet<() => void>): void => listeners.forEach((listener) => listener());

/** The queue then asks the device for a fresh picture, as after every picture that cannot be decoded. */
const rejectUnfit = (): Promise<never> => Promise.reject(new Error('the picture does not fit the screen'));

/** Setting a size clears the canvas even if the size is the same. */
function resize(canvas: HTMLCanvasElement, { width, height }: SessionMessage<'layout'>): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

async function decodeTiles(context: CanvasRenderingContext2D, { copies, tiles }: TileUpdate): Promise<Draw> {
  const images = await decodeTileImages(tiles.map(({ image }) => image));
  return () => {
    for (const { x, y, width, height, toX, toY } of copies)
      context.drawImage(context.canvas, x, y, width, height, toX, toY, width, height);
    tiles.forEach(({ x, y }, index) => {
      context.drawImage(images[index]!, x, y);
      images[index]!.close();
    });
  };
}

function drawVideo(context: CanvasRenderingContext2D, { boxes, half }: VideoUpdate, frame: VideoFrame): void {
  const scale = half ? 2 : 1;
  context.save();
  // Smoothing would take longer than decoding, and a film moves too quickly for it to be missed.
  context.imageSmoothingEnabled = false;
  if (boxes.length !== 1) context.clip(outlineOf(boxes));
  const { x, y, width, height } = boxes.length === 1 ? boxes[0]! : { x: 0, y: 0, ...sizeOf(frame, scale) };
  context.drawImage(frame, x / scale, y / scale, width / scale, height / scale, x, y, width, height);
  context.restore();
  frame.close();
}

const sizeOf = ({ displayWidth, displayHeight }: VideoFrame, scale: number) => ({
  width: displayWidth * scale,
  height: displayHeight * scale,
});

/** Several boxes are drawn through their outline, because each drawing converts the colours of the whole frame. */
function outlineOf(boxes: VideoUpdate['boxes']): Path2D {
  const outline = new Path2D();
  for (const { x, y, width, height } of boxes) outline.rect(x, y, width, height);
  return outline;
}
