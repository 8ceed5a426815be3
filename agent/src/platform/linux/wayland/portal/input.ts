/** Mouse and keyboard input through the portal. */
import { setTimeout as pause } from 'node:timers/promises';
import type { DesktopInput } from '../../../desktop.ts';
import { NotPossible } from '../../../platform.ts';
import type { KeyDevice } from '../../layout-keyboard.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import { createBusInput, unknownKey } from '../bus-input.ts';
import { typeByNumber } from '../type-by-number.ts';
import type { WaylandConnection } from '../wire/connection.ts';
import { watchKeyboardMap, type KeyboardMap } from './keyboard-map.ts';
import { locate, type SharedMonitor } from './monitors.ts';
import { portalInterface } from './requests.ts';
import type { PortalSession } from './session.ts';

interface InputParts {
  bus: SessionBus;
  connection: WaylandConnection;
  session: PortalSession;
  /** The monitors as they are at the moment. */
  monitors(): readonly SharedMonitor[];
}

/** What a notch of the wheel is in the unit of touchpads, on all compositors. */
const notchDistance = 10;
const wakeTimeoutMs = 1_000;
/** Programs hear of the keyboard when the agent does. They answer nothing that the agent could wait for. */
const programsReactMs = 100;

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
        const { node, x, y } = locate(monitors(), toX, toY);
        notify('NotifyPointerMotionAbsolute', 'udd', node, x, y);
      },
      button: (code, down) => notify('NotifyPointerButton', 'iu', code, down ? 1 : 0),
      turn: (axis, notches) => notify('NotifyPointerAxisDiscrete', 'ui', axis, notches),
      scroll: (x, y) => notify('NotifyPointerAxis', 'dd', x * notchDistance, y * notchDistance),
      locks: () => 0,
    },
    async (send) => {
      const keyboard = await watchKeyboardMap(connection, bus);
      if (!keyboard.hasKeyboard()) await wakeKeyboard(keyboard, send);
      return toKeyDevice(keyboard, send);
    },
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

/**
 * On a device without a keyboard, the compositor creates one when the first key is pressed, and programs do not receive keys
 * until they know it. So a key without a meaning is pressed first.
 */
async function wakeKeyboard({ appeared }: KeyboardMap, send: KeyDevice['send']): Promise<void> {
  [true, false].forEach((down) => send(unknownKey + 8, down));
  const isThere = await Promise.race([
    appeared.then(() => true),
    pause(wakeTimeoutMs, false, { ref: false }),
  ]);
  if (isThere) await pause(programsReactMs, undefined, { ref: false });
}

/** Keysyms are not used, because portals translate them with the same map, and drop those that it lacks. */
const toKeyDevice = ({ current: map, close }: KeyboardMap, send: KeyDevice['send']): KeyDevice => ({
  send,
  map,
  typeMissing: typeByNumber({ send, map }),
  close,
});
