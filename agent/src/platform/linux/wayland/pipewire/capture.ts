/** Captures a screen from a PipeWire stream. What changed is found by comparison, because desktops do not say it reliably. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { findDifferences } from '../../../../pixels/find-differences.ts';
import { boundsOf, putPixels, type Framebuffer } from '../../../../pixels/framebuffer.ts';
import type { Capture } from '../../../desktop.ts';
import { NotPossible } from '../../../platform.ts';
import type { FrameMemory } from '../frame-memory.ts';
import { createCursorState, type CursorState } from './cursor-state.ts';
import { openPipeWireStream, type VideoFrame } from './stream.ts';

export interface PipeWireCapture extends Capture {
  /** Makes the next call of `damage` throw this sentence. */
  fail(why: string): void;
}

/** Mutter can lose the first picture of a stream and sends none until something changes, so new streams are opened. */
const [firstFrameTimeoutsMs, lastFrameTimeoutMs] = [[1_000, 1_500, 2_000, 2_500], 4_000];

interface FrameSource {
  /** The number of the stream's source in PipeWire. */
  node: number;
  /** Says why the desktop has ended the stream. */
  whyEnded(): Promise<string>;
}

class NoPicture extends NotPossible {}

/** Resolves when the first picture has arrived. */
export async function openPipeWireCapture(from: FrameSource, memory: FrameMemory): Promise<PipeWireCapture> {
  for (const timeoutMs of firstFrameTimeoutsMs)
    try {
      return await openCapture({ ...from, memory, timeoutMs });
    } catch (error) {
      if (!(error instanceof NoPicture)) throw error;
    }
  return openCapture({ ...from, memory, timeoutMs: lastFrameTimeoutMs });
}

interface Attempt extends FrameSource {
  memory: FrameMemory;
  timeoutMs: number;
}

async function openCapture({ memory, timeoutMs, ...from }: Attempt): Promise<PipeWireCapture> {
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
  const stream = await openPipeWireStream(from.node, {
    onFrame() {
      state.isNew = true;
      first.resolve();
      notify();
    },
    onCursor: cursor.set,
    onEnd: () => void from.whyEnded().then(fail),
  });
  const picture = await firstPicture(first, timeoutMs, stream.frame, memory).catch((error: unknown) => {
    stream.close();
    throw error;
  });
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

async function firstPicture(
  first: PromiseWithResolvers<void>,
  timeoutMs: number,
  frameOf: () => VideoFrame | undefined,
  memory: FrameMemory,
): Promise<Picture> {
  const tooLate = (): void =>
    first.reject(
      new NoPicture(
        'The desktop of the device does not send its picture through PipeWire. Start its session manager, such as wireplumber.',
      ),
    );
  const timeout = setTimeout(tooLate, timeoutMs);
  await first.promise.finally(() => clearTimeout(timeout));
  const frame = frameOf();
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
