/** The desktop of GNOME, through the interfaces that Mutter offers to programs of the signed-in person. */
import { NotPossible } from '../../../platform.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import { createDesktopEnd, type DesktopEnd } from '../desktop-end.ts';
import type { FrameMemory } from '../frame-memory.ts';
import { openPipeWireCapture, type PipeWireCapture } from '../pipewire/capture.ts';
import { requirePipeWire } from '../pipewire/library.ts';
import type { WaylandDesktop } from '../wayland-path.ts';
import { busGone, displayGone, windowsOn, type TellingDisplay } from '../xwayland/agent-windows.ts';
import { openUriDrags } from '../../x11/drag/file-drags.ts';
import { openMutterClipboard } from './clipboard.ts';
import { displayConfig, readMutterLayout } from './display-config.ts';
import { prepareMutterDropWindow } from './drag/drop-window.ts';
import { openMutterInput } from './input.ts';
import { whyMissing } from './locked.ts';
import { resizeMonitor } from './resize.ts';
import { createScreenCast, startScreenCast } from './screen-cast.ts';

const streamEnded = 'The desktop of the device no longer sends its picture.';

interface State {
  bus: SessionBus;
  memory: FrameMemory;
  end: DesktopEnd;
}

export function openMutterDesktop(
  bus: SessionBus,
  memory: FrameMemory,
  display: TellingDisplay,
): WaylandDesktop {
  const xwayland = display.untold === undefined ? display.xwayland : undefined;
  const end = createDesktopEnd(() => {
    bus.close();
    xwayland?.close();
  });
  bus.onClose(() => end.lose(busGone));
  xwayland?.onClose(() => end.lose(displayGone));
  return {
    ...windowsOn(display),
    layout: async () => (await readMutterLayout(bus)).layout,
    onLayout: (listener) => void bus.onSignal(displayConfig, 'MonitorsChanged', listener),
    onClose: end.onClose,
    whyClosed: end.whyClosed,
    capture: () => openCapture({ bus, memory, end }),
    input: () => openMutterInput(bus),
    clipboard: () => openMutterClipboard(bus),
    ...(xwayland && { uriDrags: () => openUriDrags(xwayland, prepareMutterDropWindow(bus)) }),
    resize: (width, height) => resizeMonitor(bus, { width, height }),
    async shield() {
      throw new NotPossible(
        'A GNOME desktop cannot be blacked out, and its mouse and keyboard cannot be blocked.',
      );
    },
    close: end.close,
  };
}

async function openCapture(state: State): Promise<PipeWireCapture> {
  try {
    return await startCapture(state);
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error;
    throw new NotPossible(await whyMissing(state.bus, error.message));
  }
}

async function startCapture({ bus, memory, end }: State): Promise<PipeWireCapture> {
  const { area } = await readMutterLayout(bus);
  // Without it, Mutter would not answer.
  await requirePipeWire();
  const cast = await createScreenCast(bus, area);
  const stop = (): void => void bus.call(cast.session, 'Stop').catch(() => {});
  try {
    const node = await startScreenCast(bus, cast);
    const whyEnded = (): Promise<string> => whyMissing(bus, streamEnded);
    const capture = await openPipeWireCapture({ node, whyEnded }, memory);
    // Mutter leaves the last picture of a stream that it has ended.
    const unsubscribe = await bus.onSignal(cast.session, 'Closed', () => void whyEnded().then(capture.fail));
    return end.keep(capture, () => {
      unsubscribe();
      stop();
    });
  } catch (error) {
    stop();
    throw error;
  }
}
