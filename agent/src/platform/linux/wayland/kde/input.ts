/** Mouse and keyboard input through KWin's interface for simulated input. */
import type { DesktopInput } from '../../../desktop.ts';
import { axes, createBusInput, notchDistance } from '../bus-input.ts';
import type { CompositorContext } from '../compositor/context.ts';
import { openMapKeys } from '../compositor/map-keys.ts';
import { locate } from '../compositor/shared-monitors.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import { toFixed } from '../wire/wire-format.ts';
import { fakeInput } from './protocol.ts';

/** `device`: the object for simulated input. */
export async function openKdeInput(
  { connection, outputs }: CompositorContext,
  bus: SessionBus,
  device: number,
  locks: () => number,
): Promise<DesktopInput> {
  const send = (request: number, ...values: number[]): void => connection.request(device, request, values);
  const turn = (axis: number, notches: number): void =>
    send(fakeInput.axis, axis, toFixed(notches * notchDistance));
  const { input } = await createBusInput(
    {
      key: (code, down) => send(fakeInput.key, code, down ? 1 : 0),
      move(toX, toY) {
        const at = locate(outputs.list(), toX, toY);
        // The origin of the desktop is that of its units, not that of the picture.
        if (at)
          send(fakeInput.move, toFixed(at.monitor.logical.x + at.x), toFixed(at.monitor.logical.y + at.y));
      },
      button: (code, down) => send(fakeInput.button, code, down ? 1 : 0),
      turn,
      scroll(x, y) {
        if (x !== 0) turn(axes.horizontal, x);
        if (y !== 0) turn(axes.vertical, y);
      },
      locks,
    },
    (press) => openMapKeys(connection, bus, press),
    () => {},
  );
  return input;
}
