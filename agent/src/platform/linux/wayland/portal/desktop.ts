/** A desktop of any kind through its portal: the person allows it there, once. */
import { NotPossible } from '../../../platform.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import { createDesktopEnd, type DesktopEnd } from '../desktop-end.ts';
import type { FrameMemory } from '../frame-memory.ts';
import type { PipeWireCapture } from '../pipewire/capture.ts';
import { requirePipeWire } from '../pipewire/library.ts';
import type { RestoreTokens, WaylandDesktop } from '../wayland-path.ts';
import type { WaylandConnection } from '../wire/connection.ts';
import { openCompositorClipboard } from '../compositor/clipboard.ts';
import { createContext, type CompositorContext } from '../compositor/context.ts';
import {
  busGone,
  displayGone,
  windowsOn,
  type AgentWindows,
  type TellingDisplay,
} from '../xwayland/agent-windows.ts';
import { openMonitorsCapture } from '../pipewire/monitors-capture.ts';
import { openLater, openPortalClipboard } from './clipboard.ts';
import { createConsent, type Consent } from './consent.ts';
import { openPortalInput } from './input.ts';
import { layoutOfMonitors, type SharedMonitor } from '../compositor/shared-monitors.ts';
import { placeStreams } from './monitors.ts';
import type { PortalSession } from './session.ts';
import { createSharedCaptures } from '../../../helper/shared-capture.ts';

const streamEnded =
  'The desktop of the device no longer sends its picture. If it does not return, end the session and connect again.';

const lockedNote =
  'The screen of the device is locked. Some desktops send no picture until somebody unlocks it there.';

export interface PortalParts {
  bus: SessionBus;
  connection: WaylandConnection;
  memory: FrameMemory;
  display: TellingDisplay;
  tokens: RestoreTokens;
}

interface State extends Omit<PortalParts, 'display' | 'tokens'> {
  context: CompositorContext;
  consent: Consent;
  end: DesktopEnd;
}

export async function openPortalDesktop(parts: PortalParts): Promise<WaylandDesktop> {
  const { bus, connection, memory, display, tokens } = parts;
  const context = await createContext(connection, memory);
  const consent = createConsent(bus, tokens);
  const xwayland = display.untold === undefined ? display.xwayland : undefined;
  const end = createDesktopEnd(() => {
    consent.close();
    connection.close();
    xwayland?.close();
    // The next turn, so that the portal is told first.
    setImmediate(bus.close);
  });
  bus.onClose(() => end.lose(busGone));
  connection.onClose(() => end.lose(connection.whyClosed() ?? streamEnded));
  xwayland?.onClose(() => end.lose(displayGone));
  const features = featuresOf({ bus, connection, memory, context, consent, end });
  return { ...windowsOn(display), ...features, close: end.close };
}

function featuresOf(state: State): Omit<WaylandDesktop, 'close' | keyof AgentWindows> {
  const { bus, connection, context, consent, end } = state;
  return {
    layout: async () => layoutOfMonitors(monitorsOf(context, await consent.session())),
    onLayout(listener) {
      context.outputs.onChange(listener);
      consent.onChange(listener);
    },
    onClose: end.onClose,
    whyClosed: end.whyClosed,
    lockedNote,
    capture: createSharedCaptures(() => openCapture(state)),
    async input() {
      const session = await consent.session();
      const monitors = (): readonly SharedMonitor[] => monitorsOf(context, session);
      return openPortalInput({ bus, connection, session, monitors });
    },
    clipboard: async () =>
      openLater(
        consent
          .granted()
          .then(({ hasClipboard, path }) =>
            hasClipboard ? openPortalClipboard(bus, path) : openCompositorClipboard(context),
          ),
      ),
    async resize() {
      throw new NotPossible('The size of this desktop can be changed only in its own settings.');
    },
    async shield() {
      throw new NotPossible(
        'This Wayland desktop cannot be blacked out, and its mouse and keyboard cannot be blocked.',
      );
    },
  };
}

const monitorsOf = ({ outputs }: CompositorContext, { streams }: PortalSession): SharedMonitor[] =>
  placeStreams(streams, outputs.list());

async function openCapture({ memory, end, consent, context }: State): Promise<PipeWireCapture> {
  await requirePipeWire();
  const whyEnded = (): Promise<string> =>
    consent.session().then(
      () => streamEnded,
      (error: Error) => error.message,
    );
  const monitors = monitorsOf(context, await consent.session());
  return end.keep(await openMonitorsCapture(monitors, memory, whyEnded));
}
