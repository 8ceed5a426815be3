/** Captures all monitors of KWin as one picture. */
import type { SharableCapture } from '../../../helper/shared-capture.ts';
import { NotPossible } from '../../../platform.ts';
import type { CompositorContext } from '../compositor/context.ts';
import type { DesktopEnd } from '../desktop-end.ts';
import { requirePipeWire } from '../pipewire/library.ts';
import { openMonitorsCapture } from '../pipewire/monitors-capture.ts';
import { openMonitorStream, type MonitorStream } from './screen-cast.ts';

const noPicture = 'The desktop of the device no longer sends its picture.';

export async function openKdeCapture(
  context: CompositorContext,
  manager: number,
  end: DesktopEnd,
): Promise<SharableCapture> {
  await requirePipeWire();
  const { outputs, memory } = context;
  const [version, shown] = [outputs.version(), outputs.list()];
  if (shown.length === 0) throw new NotPossible('No monitor of the device is switched on.');
  const streams: MonitorStream[] = [];
  const closeStreams = (): void => streams.forEach(({ close }) => close());
  let fail: (why: string) => void = () => {};
  try {
    for (const output of shown)
      streams.push(await openMonitorStream(context.connection, manager, output.object, (why) => fail(why)));
    const monitors = shown.map((output, index) => ({ ...output, node: streams[index]!.node }));
    const capture = await openMonitorsCapture(monitors, memory, async () => noPicture);
    fail = capture.fail;
    return { ...end.keep(capture, closeStreams), isCurrent: () => version === outputs.version() };
  } catch (error) {
    closeStreams();
    throw error;
  }
}
