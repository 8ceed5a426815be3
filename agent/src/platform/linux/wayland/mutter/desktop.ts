/** The desktop of GNOME, through the interfaces that Mutter offers to programs of the signed-in person. */
import { NotPossible } from '../../../platform.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import type { FrameMemory } from '../frame-memory.ts';
import { openPipeWireCapture, type PipeWireCapture } from '../pipewire/capture.ts';
import { requirePipeWire } from '../pipewire/library.ts';
import type { WaylandDesktop } from '../wayland-path.ts';
import { busGone, displayGone, windowsOn, type TellingDisplay } from '../xwayland/agent-windows.ts';
import { openMutterClipboard } from './clipboard.ts';
import { displayConfig, readMutterLayout } from './display-config.ts';
import { openMutterInput } from './input.ts';
import { whyMissing } from './locked.ts';
import { resizeMonitor } from './resize.ts';
import { createScreenCast, startScreenCast } from './screen-cast.ts';

const streamEnded = 'The desktop of the device no longer sends its picture.';

interface State {
  bus: SessionBus;
  memory: FrameMemory;
  captures: Set<PipeWireCapture>;
  closeListeners: ((why: string) => void)[];
  /** Undefined while the desktop is open. */
  whyClosed: string | undefined;
}

export function openMutterDesktop(
  bus: SessionBus,
  memory: FrameMemory,
  display: TellingDisplay,
): WaylandDesktop {
  const state: State = { bus, memory, captures: new Set(), closeListeners: [], whyClosed: undefined };
  const xwayland = display.untold === undefined ? display.xwayland : undefined;
  const close = (): void => {
    state.whyClosed ??= 'The desktop is no longer used.';
    bus.close();
    xwayland?.close();
  };
  bus.onClose(() => lose(state, busGone, close));
  xwayland?.onClose(() => lose(state, displayGone, close));
  return {
    ...windowsOn(display),
    layout: async () => (await readMutterLayout(bus)).layout,
    onLayout: (listener) => void bus.onSignal(displayConfig, 'MonitorsChanged', listener),
    onClose: (listener) => void state.closeListeners.push(listener),
    whyClosed: () => state.whyClosed,
    capture: () => openCapture(state),
    input: () => openMutterInput(bus),
    clipboard: () => openMutterClipboard(bus),
    resize: (width, height) => resizeMonitor(bus, { width, height }),
    async shield() {
      throw new NotPossible(
        'A GNOME desktop cannot be blacked out, and its mouse and keyboard cannot be blocked.',
      );
    },
    close,
  };
}

function lose(state: State, why: string, close: () => void): void {
  if (state.whyClosed !== undefined) return;
  state.whyClosed = why;
  for (const capture of state.captures) capture.fail(why);
  close();
  for (const listener of state.closeListeners) listener(why);
}

async function openCapture(state: State): Promise<PipeWireCapture> {
  try {
    return await startCapture(state);
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error;
    throw new NotPossible(await whyMissing(state.bus, error.message));
  }
}

async function startCapture({ bus, memory, captures }: State): Promise<PipeWireCapture> {
  const { area } = await readMutterLayout(bus);
  // Without it, Mutter would not answer.
  await requirePipeWire();
  const cast = await createScreenCast(bus, area);
  const stop = (): void => void bus.call(cast.session, 'Stop').catch(() => {});
  try {
    const node = await startScreenCast(bus, cast);
    const whyEnded = (): Promise<string> => whyMissing(bus, streamEnded);
    const capture = await openPipeWireCapture({ node, whyEnded }, memory);
    captures.add(capture);
    // Mutter leaves the last picture of a stream that it has ended.
    const unsubscribe = await bus.onSignal(cast.session, 'Closed', () => void whyEnded().then(capture.fail));
    const close = (): void => {
      unsubscribe();
      captures.delete(capture);
      capture.close();
      stop();
    };
    return { ...capture, close };
  } catch (error) {
    stop();
    throw error;
  }
}
