/** The system's libpipewire, called through koffi. Its event loop runs inside Node's. */
import { findLibrary, loadKoffi, type Koffi, type Library } from '../../../native.ts';
import { NotPossible } from '../../../platform.ts';

type NativeFunction = ReturnType<Library['func']>;

const prototypes = {
  pw_init: 'void pw_init(void* argc, void* argv)',
  pw_loop_new: 'void* pw_loop_new(void* properties)',
  pw_loop_destroy: 'void pw_loop_destroy(void* loop)',
  pw_context_new: 'void* pw_context_new(void* loop, void* properties, size_t extra)',
  pw_context_destroy: 'void pw_context_destroy(void* context)',
  pw_context_connect: 'void* pw_context_connect(void* context, void* properties, size_t extra)',
  pw_properties_new_string: 'void* pw_properties_new_string(const char* text)',
  pw_stream_new: 'void* pw_stream_new(void* core, const char* name, void* properties)',
  pw_stream_destroy: 'void pw_stream_destroy(void* stream)',
  pw_stream_add_listener: 'void pw_stream_add_listener(void* stream, void* hook, void* events, void* data)',
  pw_stream_connect:
    'int pw_stream_connect(void* stream, int direction, uint32 target, int flags, void* params, uint32 count)',
  pw_stream_update_params: 'int pw_stream_update_params(void* stream, void* params, uint32 count)',
  pw_stream_dequeue_buffer: 'void* pw_stream_dequeue_buffer(void* stream)',
  pw_stream_queue_buffer: 'int pw_stream_queue_buffer(void* stream, void* buffer)',
} as const;

export interface PipeWire {
  koffi: Koffi;
  functions: Record<keyof typeof prototypes, NativeFunction>;
}

let loaded: PipeWire | undefined;

export async function loadPipeWire(): Promise<PipeWire> {
  const koffi = await loadKoffi();
  const library = koffi && findLibrary(koffi, ['libpipewire-0.3.so.0']);
  if (!koffi || !library)
    throw new NotPossible(
      'The screen cannot be shown because the device lacks libpipewire. Install its package, such as libpipewire-0.3-0 or pipewire-libs.',
    );
  return (loaded ??= initialize(koffi, library));
}

function initialize(koffi: Koffi, library: Library): PipeWire {
  const functions = Object.fromEntries(
    Object.entries(prototypes).map(([name, prototype]) => [name, library.func(prototype)]),
  ) as PipeWire['functions'];
  functions.pw_init(null, null);
  return { koffi, functions };
}

/** Connects to the PipeWire of the person; throws NotPossible if it does not run. */
export function connectPipeWire({ functions }: PipeWire): Record<'loop' | 'context' | 'core', unknown> {
  const loop = functions.pw_loop_new(null) as unknown;
  const context = functions.pw_context_new(loop, null, 0) as unknown;
  const core: unknown = context && functions.pw_context_connect(context, null, 0);
  if (core !== null) return { loop, context, core };
  if (context !== null) functions.pw_context_destroy(context);
  functions.pw_loop_destroy(loop);
  throw new NotPossible(
    context === null
      ? 'The screen cannot be shown because the device lacks the configuration of PipeWire for programs. Install its package, such as pipewire-bin or pipewire.'
      : 'The screen cannot be shown because PipeWire does not run for the person at the device. Start its service, pipewire.',
  );
}

/** Throws NotPossible if PipeWire cannot be used. */
export async function requirePipeWire(): Promise<void> {
  const pipeWire = await loadPipeWire();
  const { loop, context } = connectPipeWire(pipeWire);
  pipeWire.functions.pw_context_destroy(context);
  pipeWire.functions.pw_loop_destroy(loop);
}

export interface LoopControl {
  /** Readable when there is work. */
  fd: number;
  /** Does the work that is there, without waiting. */
  iterate(): void;
  leave(): void;
}

/** The methods of a loop are in a table behind its third pointer. This thread enters the loop until `leave`. */
export function controlOf({ koffi }: PipeWire, loop: unknown): LoopControl {
  const control = koffi.decode(loop, 16, 'void*') as unknown;
  const [methods, data] = [16, 24].map((offset) => koffi.decode(control, offset, 'void*') as unknown);
  const method = (offset: number): unknown => koffi.decode(methods, offset, 'void*');
  const [plain, withTimeout] = [koffi.proto('int', ['void*']), koffi.proto('int', ['void*', 'int'])];
  koffi.call(method(24), plain, data);
  return {
    fd: koffi.call(method(8), plain, data) as number,
    iterate: () => void koffi.call(method(40), withTimeout, data, 0),
    leave: () => void koffi.call(method(32), plain, data),
  };
}
