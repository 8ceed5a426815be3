/** Changes the size of the only monitor of a GNOME desktop to one that it supports. */
import type { ScreenSize } from '../../../desktop.ts';
import { NotPossible } from '../../../platform.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import {
  displayConfig,
  onlyMonitor,
  readMonitors,
  sizeIn,
  type LogicalMonitor,
  type Mode,
} from './display-config.ts';

/** Until the monitors change or the person signs out; GNOME asks the person only about changes that it keeps. */
const temporary = 1;

export async function resizeMonitor(bus: SessionBus, { width, height }: ScreenSize): Promise<void> {
  const [serial, monitors, logical] = await readMonitors(bus);
  const only = onlyMonitor(monitors, logical);
  if (!only)
    throw new NotPossible(
      'The size of the screen can be changed only if the device has exactly one monitor.',
    );
  const { monitor, connector, modes } = only;
  const [, , , transform] = monitor;
  const fitting = modes.filter((mode) => {
    const size = sizeIn(mode, transform);
    return size.width === width && size.height === height;
  });
  const [mode] = fitting.toSorted((one, other) => other[3] - one[3]);
  if (!mode) throw new NotPossible(`The screen of the device cannot be set to ${width}×${height} pixels.`);
  const changed = [0, 0, scaleFor(mode, monitor), transform, true, [[connector, mode[0], {}]]];
  await bus.call(
    displayConfig,
    'ApplyMonitorsConfig',
    'uua(iiduba(ssa{sv}))a{sv}',
    serial,
    temporary,
    [changed],
    {},
  );
}

/** The scale of the person, or the one that GNOME prefers in a mode that does not support it. */
function scaleFor([, , , , preferred, supported]: Mode, [, , scale]: LogicalMonitor): number {
  return supported.find((each) => Math.abs(each - scale) < 0.01) ?? preferred;
}
