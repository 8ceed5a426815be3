/** The path to any desktop that has a portal for remote control, such as KDE: the person allows it there, once. */
import { NotPossible } from '../../../platform.ts';
import { refCounted } from '../../../helper/ref-counted.ts';
import { openSessionBus, type SessionBus } from '../dbus/session-bus.ts';
import { openToOthers } from '../closed-process.ts';
import type { FrameMemory } from '../frame-memory.ts';
import { requirePipeWire } from '../pipewire/library.ts';
import type { RestoreTokens, WaylandDesktop, WaylandPath } from '../wayland-path.ts';
import { connectToCompositor } from '../wire/connection.ts';
import { kinds } from '../compositor/protocol.ts';
import { findTellingDisplay, warningsOfDisplay } from '../xwayland/agent-windows.ts';
import { openPortalDesktop } from './desktop.ts';
import { portalInterface } from './requests.ts';

/** From this version on, the portal restores what the person has allowed. */
const restoringVersion = 2;

export const portalPath: WaylandPath = {
  name: 'portal',
  async whyNot() {
    try {
      await requirePortal();
      return undefined;
    } catch (error) {
      if (error instanceof NotPossible) return error.message;
      throw error;
    }
  },
  warnings: warningsOfDisplay,
  open: (memory, tokens) => openShared(memory, tokens),
};

async function requirePortal(): Promise<void> {
  // Before the portal, which does not answer while PipeWire is away.
  await requirePipeWire();
  const bus = await openSessionBus();
  try {
    await Promise.all(['RemoteDesktop', 'ScreenCast'].map((name) => requireInterface(bus, name)));
  } finally {
    bus.close();
  }
  const connection = await connectToCompositor();
  const offered = connection.globals().map(({ kind }) => kind);
  connection.close();
  const missing = [kinds.shm, kinds.seat, kinds.outputNames].filter((kind) => !offered.includes(kind));
  if (missing.length > 0) throw new NotPossible(`The compositor does not offer ${missing.join(', ')}.`);
}

async function requireInterface(bus: SessionBus, name: string): Promise<void> {
  const version = await bus.property<number>(portalInterface(name), 'version').catch(() => 0);
  if (version === 0)
    throw new NotPossible(
      `The desktop has no portal for remote control (${name}). Install xdg-desktop-portal and the one of the desktop, such as xdg-desktop-portal-kde.`,
    );
  if (name === 'RemoteDesktop' && version < restoringVersion)
    throw new NotPossible('The portal of the desktop would ask at each session. Update xdg-desktop-portal.');
}

/** Everything that uses the desktop in this process shares one session of the portal, so that the person is asked once. */
let acquire: ReturnType<typeof refCounted<WaylandDesktop>> | undefined;

async function openShared(memory: FrameMemory, tokens: RestoreTokens): Promise<WaylandDesktop> {
  acquire ??= refCounted(() => openDesktop(memory, tokens));
  const { value, release } = await acquire();
  let isOpen = true;
  return {
    ...value,
    onLayout: (listener) => value.onLayout(() => isOpen && listener()),
    onClose: (listener) => value.onClose((why) => isOpen && listener(why)),
    close() {
      isOpen = false;
      release();
    },
  };
}

async function openDesktop(memory: FrameMemory, tokens: RestoreTokens): Promise<WaylandDesktop> {
  // Portals serve only programs that they can look into. No other path is connected any more.
  await openToOthers();
  const bus = await openSessionBus();
  try {
    const connection = await connectToCompositor();
    return await openPortalDesktop({ bus, connection, memory, tokens, display: await findTellingDisplay() });
  } catch (error) {
    bus.close();
    throw error;
  }
}
