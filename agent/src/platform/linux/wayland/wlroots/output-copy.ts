/** The copy of one monitor: the compositor writes it with what has changed, one frame at a time. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../../../desktop.ts';
import { NotPossible } from '../../../platform.ts';
import type { FrameRegion } from '../frame-memory.ts';
import { newObject, type EventHandler } from '../wire/connection.ts';
import type { BufferShape, CompositorContext } from '../compositor/context.ts';
import type { PlacedOutput } from '../compositor/outputs.ts';
import { screencopy as frames, shm } from '../compositor/protocol.ts';
import { copyUpright, orientationOf, uprightBox, type Orientation } from './upright.ts';

export interface OutputCopy {
  box: Box;
  /** Resolves when the first picture is complete. */
  first: Promise<void>;
  /** Asks for the next frame, unless one is asked for already. */
  request(): void;
  pixels(part: Box): Pixels;
  close(): void;
}

interface OutputCopyOptions {
  context: CompositorContext;
  screencopy: number;
  output: PlacedOutput;
  changed(boxes: readonly Box[]): void;
}

interface Target extends BufferShape {
  buffer: number;
  delivered: FrameRegion;
  /** The picture as the person sees it; the delivered pixels themselves if they need no change. */
  upright: FrameRegion;
  orientation: Orientation;
}

interface State extends OutputCopyOptions {
  first: PromiseWithResolvers<void>;
  target: Target | undefined;
  frame: number | undefined;
  retryTimer: NodeJS.Timeout | undefined;
  isClosed: boolean;
}

/** The pixel formats of the protocol, all with 4 bytes: blue first, and red first. */
const [blueFirst, redFirst] = [
  [0, 1],
  [0x3432_4258, 0x3432_4241],
];
const withCursor = 1;
const isInvertedFlag = 1;
/** A monitor that is switched off fails at once. */
const retryMs = 1_000;
const firstTimeoutMs = 5_000;

export function createOutputCopy(options: OutputCopyOptions): OutputCopy {
  const { output, context } = options;
  const first = Promise.withResolvers<void>();
  const state: State = {
    ...options,
    first,
    target: undefined,
    frame: undefined,
    retryTimer: undefined,
    isClosed: false,
  };
  const timer = setTimeout(
    () =>
      first.reject(new NotPossible(`The compositor of the device does not show the monitor ${output.name}.`)),
    firstTimeoutMs,
  );
  const { box } = output;
  requestFrame(state);
  return {
    box,
    first: first.promise.finally(() => clearTimeout(timer)),
    request: () => requestFrame(state),
    pixels: (part) => ({
      box: part,
      words: context.memory.words,
      offset: state.target!.upright.offset + (part.y - box.y) * box.width + part.x - box.x,
      stride: box.width,
    }),
    close: () => close(state),
  };
}

function requestFrame(state: State): void {
  if (state.frame !== undefined || state.retryTimer || state.isClosed) return;
  const { context, screencopy, output } = state;
  state.frame = context.connection.create(
    screencopy,
    frames.captureOutput,
    [newObject, withCursor, output.object],
    handleFrame(state),
  );
}

function handleFrame(state: State): EventHandler {
  const isFirst = state.target === undefined;
  const damaged: Box[] = [];
  let shape: BufferShape | undefined;
  return (opcode, values) => {
    if (opcode === frames.buffer) {
      const [format, width, height, stride] = [values.uint(), values.uint(), values.uint(), values.uint()];
      shape = { format, width, height, stride };
    } else if (opcode === frames.bufferDone) copyInto(state, shape, isFirst);
    else if (opcode === frames.flags) prepareUpright(state, (values.uint() & isInvertedFlag) !== 0);
    else if (opcode === frames.damage)
      damaged.push({ x: values.uint(), y: values.uint(), width: values.uint(), height: values.uint() });
    else if (opcode === frames.ready) finish(state, isFirst ? undefined : damaged);
    else if (opcode === frames.failed) fail(state);
  };
}

function copyInto(state: State, shape: BufferShape | undefined, isFirst: boolean): void {
  const { context, first, frame } = state;
  try {
    if (isFirst) state.target = createTarget(state, shape);
  } catch (error) {
    return first.reject(error);
  }
  const { target } = state;
  const isSame = target && shape?.width === target.width && shape.height === target.height;
  if (!isSame) return fail(state);
  context.connection.request(frame!, isFirst ? frames.copy : frames.copyWithDamage, [target.buffer]);
}

function createTarget({ context, output }: State, shape: BufferShape | undefined): Target {
  if (!shape || ![...blueFirst, ...redFirst].includes(shape.format))
    throw new NotPossible(
      `The compositor shows the monitor ${output.name} in a format that the agent does not support.`,
    );
  const delivered = context.memory.allocate((shape.stride / 4) * shape.height);
  const buffer = context.createBuffer(delivered, shape);
  const orientation = orientationOf({
    ...shape,
    stride: shape.stride / 4,
    transform: output.transform,
    isInverted: false,
  });
  return { ...shape, buffer, delivered, upright: delivered, orientation };
}

/** Reserves space for the upright picture if the delivered one is rotated, or in another format. */
function prepareUpright({ target, context, output }: State, isInverted: boolean): void {
  if (!target) return;
  const { width, height, stride, format } = target;
  const { transform, box } = output;
  const isUpright = transform === 0 && !isInverted && blueFirst.includes(format) && stride === width * 4;
  target.orientation = orientationOf({ width, height, stride: stride / 4, transform, isInverted });
  if (!isUpright && target.upright === target.delivered)
    target.upright = context.memory.allocate(box.width * box.height);
}

/** `damaged`: undefined for the first picture, which is new as a whole. */
function finish(state: State, damaged: readonly Box[] | undefined): void {
  const { target, context, output, first, changed } = state;
  endFrame(state);
  if (!target) return;
  const { box } = output;
  const stride = target.stride / 4;
  const boxes = damaged?.map((each) => uprightBox(each, target.orientation, stride)) ?? [
    { ...box, x: 0, y: 0 },
  ];
  if (target.upright !== target.delivered) {
    const copy = {
      words: context.memory.words,
      from: target.delivered.offset,
      to: target.upright.offset,
      orientation: target.orientation,
      stride: box.width,
      isRedFirst: redFirst.includes(target.format),
    };
    for (const each of boxes) copyUpright(copy, each);
  }
  first.resolve();
  changed(boxes.map((each) => ({ ...each, x: each.x + box.x, y: each.y + box.y })));
}

function fail(state: State): void {
  endFrame(state);
  if (state.isClosed) return;
  state.retryTimer = setTimeout(() => {
    state.retryTimer = undefined;
    requestFrame(state);
  }, retryMs);
}

function endFrame(state: State): void {
  if (state.frame !== undefined) state.context.connection.destroy(state.frame, frames.destroy);
  state.frame = undefined;
}

function close(state: State): void {
  if (state.isClosed) return;
  state.isClosed = true;
  clearTimeout(state.retryTimer);
  endFrame(state);
  const { target, context } = state;
  if (!target) return;
  context.connection.destroy(target.buffer, shm.destroyBuffer);
  target.delivered.free();
  if (target.upright !== target.delivered) target.upright.free();
}
