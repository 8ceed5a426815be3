/** The monitors of a VNC server's screen, and changes of its size if the server supports that. */
import { once } from 'node:events';
import type { Layout, Monitor } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import { commonSizes } from '../common-sizes.ts';
import type { VncConnection } from './connection.ts';
import { desktopSizeMessage } from './messages.ts';

/** The limits of a layout in the contract. */
const maxMonitors = 32;
const largest = { width: 16_384, height: 16_384 };
const answerTimeoutMs = 5_000;

export function layoutOf(vnc: VncConnection): Layout {
  const { width, height } = vnc.framebuffer();
  const screens = vnc.screens() ?? [];
  const monitors: Monitor[] = screens.slice(0, maxMonitors).map((screen, index) => ({
    name: `screen-${index + 1}`,
    x: screen.x,
    y: screen.y,
    width: screen.width,
    height: screen.height,
    primary: index === 0,
  }));
  const whole = { name: 'screen', x: 0, y: 0, width, height, primary: true };
  return {
    width,
    height,
    monitors: monitors.length > 0 ? monitors : [whole],
    sizes: screens.length === 1 ? commonSizes(largest) : [],
  };
}

export async function resizeScreen(vnc: VncConnection, width: number, height: number): Promise<void> {
  const [screen, ...more] = vnc.screens() ?? [];
  if (!screen) throw new NotPossible('The VNC server of the device cannot change the size of the screen.');
  if (more.length > 0)
    throw new NotPossible(
      'The size of the screen can be changed only if the device has exactly one monitor.',
    );
  const now = vnc.framebuffer();
  if (now.width === width && now.height === height) return;
  const answered = once(vnc.events, 'answer', { signal: AbortSignal.timeout(answerTimeoutMs) }).then(
    ([status]) => status as number,
    () => undefined,
  );
  vnc.send(desktopSizeMessage({ width, height }, screen));
  if ((await answered) === 0) return;
  throw new NotPossible(
    `The VNC server of the device did not change the size of the screen to ${width}×${height} pixels.`,
  );
}
