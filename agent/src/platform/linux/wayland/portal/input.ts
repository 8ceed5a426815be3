/** Mouse and keyboard input through the portal. */
import type { DesktopInput } from '../../../desktop.ts';
import { NotPossible } from '../../../platform.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import { createBusInput, notchDistance } from '../bus-input.ts';
import { openMapKeys } from '../compositor/map-keys.ts';
import type { WaylandConnection } from '../wire/connection.ts';
import { locate, type SharedMonitor } from '../compositor/shared-monitors.ts';
import { portalInterface } from './requests.ts';
import type { PortalSession } from './session.ts';

interface InputParts {
  bus: SessionBus;
  connection: WaylandConnection;
  session: PortalSession;
  /** The monitors as they are at the moment. */
  monitors(): readonly SharedMonitor[];
}

export async function openPortalInput({
  bus,
  connection,
  session,
  monitors,
}: InputParts): Promise<DesktopInput> {
  if (!session.hasInput)
    throw new NotPossible(
      'The person at the device has allowed operators to see the screen, but not to use mouse and keyboard. To ask them again, end the session and connect again.',
    );
  const notify = createNotifier(bus, session.path);
  const { input } = await createBusInput(
    {
      key: (code, down) => notify('NotifyKeyboardKeycode', 'iu', code, down ? 1 : 0),
      move(toX, toY) {
        const at = locate(monitors(), toX, toY);
        if (at) notify('NotifyPointerMotionAbsolute', 'udd', at.monitor.node, at.x, at.y);
      },
      button: (code, down) => notify('NotifyPointerButton', 'iu', code, down ? 1 : 0),
      turn: (axis, notches) => notify('NotifyPointerAxisDiscrete', 'ui', axis, notches),
      scroll: (x, y) => notify('NotifyPointerAxis', 'dd', x * notchDistance, y * notchDistance),
      locks: () => 0,
    },
    (send) => openMapKeys(connection, bus, send),
    () => {},
  );
  return input;
}

/** Each call waits for the one before, because the portal processes calls in several threads. A failure shows in the picture. */
function createNotifier(
  bus: SessionBus,
  session: string,
): (member: string, signature: string, ...values: unknown[]) => void {
  const portal = portalInterface('RemoteDesktop');
  let last: Promise<unknown> = Promise.resolve();
  return (member, signature, ...values) => {
    const call = (): Promise<unknown> =>
      bus.call(portal, member, `oa{sv}${signature}`, session, {}, ...values).catch(() => {});
    last = last.then(call);
  };
}
