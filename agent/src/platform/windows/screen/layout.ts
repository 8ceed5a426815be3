/** The monitors of the desktop, changes of them, and the size of the screen. */
import type { Layout } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { desktopArea } from './bitmap.ts';
import { listOutputs, mode, sizesOf } from './outputs.ts';

/** Positions are counted from the corner of the desktop, so that none is negative. */
export function layoutOf(api: WindowsApi): Layout {
  const { x: left, y: top, width, height } = desktopArea(api);
  const outputs = listOutputs(api);
  const monitors = outputs.map(({ device, primary, ...box }) => ({
    name: device.replace('\\\\.\\', ''),
    primary,
    x: box.x - left,
    y: box.y - top,
    width: box.width,
    height: box.height,
  }));
  return { width, height, monitors, sizes: outputs.length === 1 ? sizesOf(api, outputs[0]!.device) : [] };
}

const pollMs = 1_000;

/** Calls the listener when monitors or sizes change; the returned function unsubscribes. */
export function watchLayout(api: WindowsApi, listener: () => void): () => void {
  const read = (): string => JSON.stringify(listOutputs(api));
  let known = read();
  const timer = setInterval(() => {
    const current = read();
    if (current === known) return;
    known = current;
    listener();
  }, pollMs).unref();
  return () => clearInterval(timer);
}

const fields = { width: 0x8_0000, height: 0x10_0000 } as const;
const success = 0;

/** Until the next start, or until it is set back: the setting is not saved. */
export function resizeScreen(api: WindowsApi, width: number, height: number): void {
  const [output, ...others] = listOutputs(api);
  if (!output || others.length > 0)
    throw new NotPossible(
      'The size of the screen can be changed only if the device has exactly one monitor.',
    );
  const wanted = Buffer.alloc(mode.bytes);
  wanted.writeUInt16LE(mode.bytes, mode.size);
  wanted.writeUInt32LE(fields.width | fields.height, mode.fields);
  wanted.writeUInt32LE(width, mode.width);
  wanted.writeUInt32LE(height, mode.height);
  if (api.ChangeDisplaySettingsExW(output.device, wanted, 0, 0, null) !== success)
    throw new NotPossible(`The screen of the device cannot be set to ${width}×${height} pixels.`);
}
