/** The outputs of the graphics cards that are part of the desktop: their places, sizes and modes. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { ScreenSize } from '../../desktop.ts';
import { readWideText } from '../api/wide-text.ts';
import type { WindowsApi } from '../api/windows-api.ts';

/** An output, with its place on the desktop in pixels. */
export interface DisplayOutput extends Box {
  /** Such as `\\.\DISPLAY1`. */
  device: string;
  card: string;
  primary: boolean;
}

/** Offsets in DISPLAY_DEVICEW. */
const displayDevice = { bytes: 840, name: 4, text: 68, state: 324 } as const;
const states = { attached: 1, primary: 4, mirror: 8 } as const;
/** Offsets in DEVMODEW. */
export const mode = { bytes: 220, size: 68, fields: 72, x: 76, y: 80, width: 172, height: 176 } as const;
const currentMode = 0xffff_ffff;
const maxDevices = 64;

export function listOutputs(api: WindowsApi): DisplayOutput[] {
  const outputs: DisplayOutput[] = [];
  for (let index = 0; index < maxDevices; index += 1) {
    const device = deviceAt(api, null, index);
    if (!device) break;
    const state = device.readUInt32LE(displayDevice.state);
    if ((state & states.attached) === 0 || (state & states.mirror) !== 0) continue;
    const name = readWideText(device.subarray(displayDevice.name, displayDevice.text));
    const current = modeAt(api, name, currentMode);
    if (!current) continue;
    outputs.push({
      device: name,
      card: readWideText(device.subarray(displayDevice.text, displayDevice.state)),
      primary: (state & states.primary) !== 0,
      x: current.readInt32LE(mode.x),
      y: current.readInt32LE(mode.y),
      width: current.readUInt32LE(mode.width),
      height: current.readUInt32LE(mode.height),
    });
  }
  return outputs;
}

/** The name of the monitor at an output; empty if Windows does not know it. */
export function monitorAt(api: WindowsApi, device: string): string {
  const monitor = deviceAt(api, device, 0);
  return monitor ? readWideText(monitor.subarray(displayDevice.text, displayDevice.state)) : '';
}

/** The sizes that an output supports, the largest first. */
export function sizesOf(api: WindowsApi, device: string): ScreenSize[] {
  const sizes = new Map<string, ScreenSize>();
  for (let index = 0; ; index += 1) {
    const found = modeAt(api, device, index);
    if (!found) break;
    const [width, height] = [found.readUInt32LE(mode.width), found.readUInt32LE(mode.height)];
    sizes.set(`${width}x${height}`, { width, height });
  }
  return [...sizes.values()].toSorted((one, other) => other.width - one.width || other.height - one.height);
}

function deviceAt(api: WindowsApi, parent: string | null, index: number): Buffer | undefined {
  const bytes = Buffer.alloc(displayDevice.bytes);
  bytes.writeUInt32LE(displayDevice.bytes);
  return api.EnumDisplayDevicesW(parent, index, bytes, 0) ? bytes : undefined;
}

function modeAt(api: WindowsApi, device: string, index: number): Buffer | undefined {
  const bytes = Buffer.alloc(mode.bytes);
  bytes.writeUInt16LE(mode.bytes, mode.size);
  return api.EnumDisplaySettingsExW(device, index, bytes, 0) ? bytes : undefined;
}
