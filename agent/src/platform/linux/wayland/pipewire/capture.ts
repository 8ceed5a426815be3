/** Captures a screen from a PipeWire stream. What changed is found by comparison, because desktops do not say it reliably. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { findDifferences } from '../../../../pixels/find-differences.ts';
import { boundsOf, putPixels, type Framebuffer } from '../../../../pixels/framebuffer.ts';
import type { Capture } from '../../../desktop.ts';
import { NotPossible } from '../../../platform.ts';
import type { FrameMemory } from '../frame-memory.ts';
import { createCursorState, type CursorState } from './cursor-state.ts';
import { openPipeWireStream, type PipeWireStream, type StreamListeners, type VideoFrame } from './stream.ts';

export interface PipeWireCapture extends Capture {
  /** Makes the next call of `damage` throw this sentence. */
  fail(why: string): void;
}

/** Mutter can lose the first picture of a stream and sends none until something changes, so new streams are opened. */
const firstFrameTimeoutsMs = [1_000, 1_500, 2_000, 2_500, 4_000];

interface FrameSource {
  /** The number of the stream's source in PipeWire. */
  node: number;
  /** Says why the desktop has ended the stream. */
  whyEnded(): Promise<string>;
}

/** Resolves when the first picture has arrived. */
export async function openPipeWireCapture(from: FrameSource, memory: FrameMemory): Promise<PipeWireCapture> {
  const listeners = new Set<() => void>();
  const cursor = createCursorState();
  const first = Promise.withResolvers<void>();
  const state: { isNew: boolean; whyFailed?: string } = { isNew: false };
  const notify = (): void => listeners.forEach((listener) => listener());
  const fail = (why: string): void => {
    state.whyFailed ??= why;
    first.reject(new NotPossible(why));
    notify();
  };
  const onFrame = (): void => {
    state.isNew = true;
    first.resolve();
    notify();
  };
  const onEnd = (): void => void from.whyEnded().then(fail);
  const heard = { onFrame, onCursor: cursor.set, onEnd };
  const { stream, picture } = await openShownStream(from.node, heard, first.promise, memory);
  const damage = async (): Promise<Box[]> => {
    if (state.whyFailed !== undefined) throw new NotPossible(state.whyFailed);
    const frame = state.isNew ? stream.frame() : undefined;
    state.isNew = false;
    return frame ? update(picture.framebuffer, frame) : [];
  };
  const close = (): void => {
    listeners.clear();
    cursor.close();
    stream.close();
    picture.free();
  };
  return toCapture(picture, { damage, fail, close, listeners, cursor });
}

interface CaptureParts extends Pick<PipeWireCapture, 'damage' | 'fail' | 'close'> {
  listeners: Set<() => void>;
  cursor: CursorState;
}

const toCapture = (picture: Picture, { listeners, cursor, ...parts }: CaptureParts): PipeWireCapture => ({
  ...parts,
  grab: async (boxes) => boxes.map((box) => picture.pixelsOf(box)),
  onDamage: (listener) => void listeners.add(listener),
  onCursor: cursor.onChange,
});

interface Picture {
  framebuffer: Framebuffer;
  pixelsOf(box: Box): Awaited<ReturnType<Capture['grab']>>[number];
  free(): void;
}

interface ShownStream {
  stream: PipeWireStream;
  picture: Picture;
}

/** Opens streams until one has brought a picture. `first` rejects if the desktop ends it. */
async function openShownStream(
  node: number,
  listeners: StreamListeners,
  first: Promise<void>,
  memory: FrameMemory,
): Promise<ShownStream> {
  for (const timeoutMs of firstFrameTimeoutsMs) {
    const stream = await openPipeWireStream(node, listeners);
    try {
      const isShown = first.then(() => true);
      if (await Promise.race([isShown, pause(timeoutMs, false, { ref: false })]))
        return { stream, picture: firstPicture(stream, memory) };
    } catch (error) {
      stream.close();
      throw error;
    }
    stream.close();
  }
  throw new NotPossible(
    'The desktop of the device does not send its picture through PipeWire. Start its session manager, such as wireplumber.',
  );
}

function firstPicture(stream: PipeWireStream, memory: FrameMemory): Picture {
  const frame = stream.frame();
  if (!frame) throw new NotPossible('The screen of the device has another size now.');
  const picture = createPicture(frame, memory);
  putPixels(picture.framebuffer, pixelsIn(frame));
  return picture;
}

function createPicture({ width, height }: VideoFrame, memory: FrameMemory): Picture {
  // One extra row, because encoders read boxes in whole rows, including the last one.
  const length = width * (height + 1);
  const { offset, free } = memory.allocate(length);
  const words = memory.words.subarray(offset, offset + length);
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
  return {
    framebuffer: { width, height, words, bytes },
    pixelsOf(box) {
      if (box.x + box.width > width || box.y + box.height > height)
        throw new NotPossible('The screen of the device has another size now.');
      return { box, words: memory.words, offset: offset + box.y * width + box.x, stride: width };
    },
    free,
  };
}

const pixelsIn = ({ width, height, words, stride }: VideoFrame): Parameters<typeof putPixels>[1] => ({
  box: { x: 0, y: 0, width, height },
  words,
  offset: 0,
  stride,
});

/** Copies what differs into the framebuffer, and returns where that is. */
function update(framebuffer: Framebuffer, frame: VideoFrame): Box[] {
  const { width, height } = boundsOf(framebuffer);
  if (frame.width !== width || frame.height !== height)
    throw new NotPossible('The screen of the device has another size now.');
  const boxes = findDifferences(framebuffer, pixelsIn(frame));
  for (const box of boxes)
    putPixels(framebuffer, {
      box,
      words: frame.words,
      offset: box.y * frame.stride + box.x,
      stride: frame.stride,
    });
  return boxes;
}
