/** A second monitor left of the one that Wine has. */
import type { WindowsApi } from '@drawbridge/agent/platform/windows/api/windows-api';
import { mode } from '@drawbridge/agent/platform/windows/screen/outputs';

export const secondMonitor = { name: '\\\\.\\DISPLAY9', width: 200, height: 600 } as const;

const [nameAt, stateAt, attached] = [4, 324, 1];

/** The functions of Windows, which list that monitor too. */
export function withSecondMonitor(api: WindowsApi): WindowsApi {
  return {
    ...api,
    EnumDisplayDevicesW: Object.assign((...values: Parameters<typeof api.EnumDisplayDevicesW>) => {
      if (api.EnumDisplayDevicesW(...values)) return 1;
      const [parent, index, bytes] = values as [string | null, number, Buffer];
      if (parent !== null || (index > 0 && !api.EnumDisplayDevicesW(null, index - 1, Buffer.from(bytes), 0)))
        return 0;
      bytes.fill(0, nameAt);
      bytes.write(secondMonitor.name, nameAt, 'utf16le');
      bytes.writeUInt32LE(attached, stateAt);
      return 1;
    }, api.EnumDisplayDevicesW),
    EnumDisplaySettingsExW: Object.assign((...values: Parameters<typeof api.EnumDisplaySettingsExW>) => {
      const [device, , bytes] = values as [string, number, Buffer];
      if (device !== secondMonitor.name) return api.EnumDisplaySettingsExW(...values);
      bytes.writeInt32LE(-secondMonitor.width, mode.x);
      bytes.writeUInt32LE(secondMonitor.width, mode.width);
      bytes.writeUInt32LE(secondMonitor.height, mode.height);
      return 1;
    }, api.EnumDisplaySettingsExW),
  };
}
