/** The device's screen on a canvas: moved content, exact tiles and video, each drawn when its turn has come. */
import type { Tile, TileUpdate, VideoUpdate } from '@drawbridge/contract/session/screen-frames';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { RemoteSession } from '../session/session.ts';
import { areTilesFit, isScreenFit, isVideoFit } from './picture-limits.ts';
import { createPictureQueue, type Draw } from './picture-queue.ts';
import { canDecodeVideo, createVideoStreamDecoder } from './video-decoder.ts';

export interface RemoteScreen {
  canvas: HTMLCanvasElement;
  readonly layout: SessionMessage<'layout'> | undefined;
  /** Pictures drawn so far. */
  readonly drawn: number;
  onLayout(listener: () => void): void;
  /** Asks for a picture from the beginning, as after a pause. */
  begin(more?: SessionMessage<'view'>): void;
}

const isPng = (image: Uint8Array): boolean => image[0] === 0x89;

async function toBitmap({ image }: Tile): Promise<ImageBitmap> {
  const type = isPng(image) ? 'image/png' : 'image/jpeg';
  const blob = new Blob([image as Uint8Array<ArrayBuffer>], { type });
  // As they are: what the browser would improve is no longer what the device shows.
  return createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
}

export function createRemoteScreen(session: Pick<RemoteSession, 'on' | 'send'>): RemoteScreen {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { alpha: false })!;
  const listeners = new Set<() => void>();
  let layout: SessionMessage<'layout'> | undefined;
  /** The last layout that came; it counts for what comes after it, also before it is applied. */
  let announced = { width: 0, height: 0 };
  let decoding: Promise<unknown> = Promise.resolve();
  let drawn = 0;
  const requestFresh = (): void => void session.send('view', { fresh: true });
  const videoDecoder = createVideoStreamDecoder(requestFresh);
  const queue = createPictureQueue(requestFresh);

  const show = (number: number, decoded: Promise<Draw>): void =>
    queue.add(decoded, () => {
      drawn += 1;
      session.send('shown', number);
    });
  session.on('tiles', (tiles) => {
    const isFit = areTilesFit(tiles.tiles, announced);
    // One after the other: those of many messages at once would take as much memory as the device likes.
    const decoded = decoding.then(() => (isFit ? decodeTiles(context, tiles) : rejectUnfit()));
    decoding = decoded.catch(() => {});
    show(tiles.number, decoded);
  });
  session.on('video', (video) => {
    const decoded = isVideoFit(video.data, announced) ? videoDecoder.decode(video) : rejectUnfit();
    show(
      video.number,
      decoded.then((frame) => frame && (() => drawVideo(context, video, frame))),
    );
  });
  session.on('layout', (next) => {
    if (!isScreenFit(next)) return;
    announced = next;
    const apply = (): void => {
      layout = next;
      resize(canvas, next);
      for (const listener of listeners) listener();
    };
    queue.add(Promise.resolve(apply), () => {});
  });
  return {
    canvas,
    get layout() {
      return layout;
    },
    get drawn() {
      return drawn;
    },
    onLayout: (listener) => void listeners.add(listener),
    begin(more = {}) {
      videoDecoder.restart();
      void canDecodeVideo().then((video) => session.send('view', { ...more, video, fresh: true }));
    },
  };
}

/** It is not decoded; the device is asked for another, as after any picture that cannot be. */
const rejectUnfit = (): Promise<never> => Promise.reject(new Error('the picture does not fit the screen'));

/** Setting a size wipes the canvas, also if it is the same. */
function resize(canvas: HTMLCanvasElement, { width, height }: SessionMessage<'layout'>): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

async function decodeTiles(context: CanvasRenderingContext2D, { copies, tiles }: TileUpdate): Promise<Draw> {
  const bitmaps = await Promise.all(tiles.map(toBitmap));
  return () => {
    for (const { x, y, width, height, toX, toY } of copies)
      context.drawImage(context.canvas, x, y, width, height, toX, toY, width, height);
    tiles.forEach(({ x, y }, index) => {
      context.drawImage(bitmaps[index]!, x, y);
      bitmaps[index]!.close();
    });
  };
}

function drawVideo(context: CanvasRenderingContext2D, { boxes }: VideoUpdate, frame: VideoFrame): void {
  for (const { x, y, width, height } of boxes)
    context.drawImage(frame, x, y, width, height, x, y, width, height);
  frame.close();
}
