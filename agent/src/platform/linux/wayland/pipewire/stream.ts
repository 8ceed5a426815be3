/** A PipeWire video stream: its newest picture stays available in shared memory until the next one arrives. */
import { onReadable } from '../wait-readable.ts';
import { readBuffer, type FrameCursor } from './frame.ts';
import { connectPipeWire, controlOf, loadPipeWire, type LoopControl, type PipeWire } from './library.ts';
import { offeredFormat, params, sizeOfFormat, wantedBuffers } from './pods.ts';

export interface VideoFrame {
  width: number;
  height: number;
  words: Uint32Array;
  /** Words from row to row. */
  stride: number;
}

export interface PipeWireStream {
  /** The newest picture, valid until the next turn of the event loop; undefined before the first one. */
  frame(): VideoFrame | undefined;
  close(): void;
}

export interface StreamListeners {
  onFrame(): void;
  onCursor(cursor: FrameCursor): void;
  /** The stream ended without `close`. */
  onEnd(): void;
}

const maxFramesPerSecond = 60;
const properties = 'media.type=Video media.category=Capture media.role=Screen';
const [input, autoconnect, mapBuffers] = [0, 1, 4];
const streamStates = { error: -1, unconnected: 0 } as const;
/** The callbacks by their place in the record of events. */
const [stateChanged, paramChanged, removeBuffer, process] = [1, 4, 6, 7];
const [eventsVersion, eventsBytes, hookBytes] = [2, 96, 48];

interface State extends PipeWire {
  listeners: StreamListeners;
  stream: unknown;
  size: { width: number; height: number } | undefined;
  /** The buffer with the newest picture, which is not returned to PipeWire yet. */
  held: { buffer: unknown; words: Uint32Array; stride: number } | undefined;
  /** The mapped memory of buffers by address. */
  views: Map<bigint, Uint32Array>;
  isOpen: boolean;
  /** What PipeWire reads later, so that it is not collected. */
  kept: unknown[];
}

/** `node`: the number of the stream's source in PipeWire. */
export async function openPipeWireStream(node: number, listeners: StreamListeners): Promise<PipeWireStream> {
  const pipeWire = await loadPipeWire();
  const { functions } = pipeWire;
  const { loop, context, core } = connectPipeWire(pipeWire);
  const state = createState(pipeWire, core, listeners);
  const control = controlOf(pipeWire, loop);
  const callbacks = listen(state);
  functions.pw_stream_connect(
    state.stream,
    input,
    node,
    autoconnect | mapBuffers,
    pointers(state, [offeredFormat(maxFramesPerSecond)]),
    1,
  );
  control.iterate();
  const stop = await onReadable(control.fd, () => state.isOpen && control.iterate());
  const free = (): void => release(state, { control, context, loop, callbacks });
  return {
    frame: () =>
      state.held && state.size && { ...state.size, words: state.held.words, stride: state.held.stride },
    close() {
      if (!state.isOpen) return;
      state.isOpen = false;
      stop();
      free();
    },
  };
}

function createState(pipeWire: PipeWire, core: unknown, listeners: StreamListeners): State {
  const { pw_stream_new: create, pw_properties_new_string: describe } = pipeWire.functions;
  const stream = create(core, 'drawbridge', describe(properties)) as unknown;
  const empty = { size: undefined, held: undefined, views: new Map<bigint, Uint32Array>(), kept: [] };
  return { ...pipeWire, ...empty, listeners, stream, isOpen: true };
}

interface Resources {
  control: LoopControl;
  context: unknown;
  loop: unknown;
  callbacks: bigint[];
}

function release(
  { koffi, functions, stream }: State,
  { control, context, loop, callbacks }: Resources,
): void {
  functions.pw_stream_destroy(stream);
  functions.pw_context_destroy(context);
  control.leave();
  functions.pw_loop_destroy(loop);
  for (const callback of callbacks) koffi.unregister(callback);
}

/** Registers the callbacks of the stream, which PipeWire calls inside `iterate`. */
function listen(state: State): bigint[] {
  const { koffi, functions, listeners } = state;
  const register = (callback: (...values: never[]) => void, ...values: string[]): bigint =>
    koffi.register(callback, koffi.pointer(koffi.proto('void', ['void*', ...values])));
  const callbacks = new Map([
    [
      stateChanged,
      register(
        (_, __, now: number) => isEnd(now) && state.isOpen && listeners.onEnd(),
        'int',
        'int',
        'void*',
      ),
    ],
    [paramChanged, register((_, id: number, format: unknown) => agree(state, id, format), 'uint32', 'void*')],
    [removeBuffer, register((_, buffer: unknown) => forget(state, buffer), 'void*')],
    [process, register(() => takeBuffers(state))],
  ]);
  const events = Buffer.alloc(eventsBytes);
  events.writeUInt32LE(eventsVersion, 0);
  for (const [at, callback] of callbacks) events.writeBigUInt64LE(koffi.address(callback), 8 + at * 8);
  const hook = Buffer.alloc(hookBytes);
  state.kept.push(events, hook);
  functions.pw_stream_add_listener(state.stream, hook, events, null);
  return [...callbacks.values()];
}

const isEnd = (now: number): boolean => now === streamStates.error || now === streamStates.unconnected;

/** Answers an agreed format with the buffers that the agent wants. */
function agree(state: State, id: number, format: unknown): void {
  if (id !== params.format || format === null) return;
  const header = Buffer.from(state.koffi.view(format, 8));
  state.size = sizeOfFormat(Buffer.from(state.koffi.view(format, 8 + header.readUInt32LE(0))));
  const wanted = wantedBuffers();
  state.functions.pw_stream_update_params(state.stream, pointers(state, wanted), wanted.length);
}

function forget(state: State, buffer: unknown): void {
  if (state.held?.buffer === buffer) state.held = undefined;
  state.views.clear();
}

/** Keeps the newest buffer with a picture and returns all others. */
function takeBuffers(state: State): void {
  const { koffi, functions, stream, listeners, size } = state;
  let hasNew = false;
  for (;;) {
    const buffer = functions.pw_stream_dequeue_buffer(stream) as unknown;
    if (buffer === null) break;
    const { pixels, stride, cursor } = readBuffer(koffi, buffer);
    if (cursor) listeners.onCursor(cursor);
    if (pixels === undefined || !size) functions.pw_stream_queue_buffer(stream, buffer);
    else {
      if (state.held) functions.pw_stream_queue_buffer(stream, state.held.buffer);
      state.held = { buffer, words: viewOf(state, pixels, stride * size.height), stride: stride / 4 };
      hasNew = true;
    }
  }
  if (hasNew) listeners.onFrame();
}

function viewOf({ koffi, views }: State, pixels: unknown, bytes: number): Uint32Array {
  const address = koffi.address(pixels);
  const known = views.get(address) ?? new Uint32Array(koffi.view(pixels, bytes));
  views.set(address, known);
  return known;
}

/** A list of addresses of PODs. */
function pointers({ koffi, kept }: State, pods: readonly Buffer[]): Buffer {
  const list = Buffer.alloc(8 * pods.length);
  for (const [at, pod] of pods.entries()) list.writeBigUInt64LE(koffi.address(pod), at * 8);
  kept.push(list, ...pods);
  return list;
}
