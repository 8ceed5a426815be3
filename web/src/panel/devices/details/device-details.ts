/** The data of the device page and the props of its tabs. */
import type { OutputOf } from '../../api.ts';
import type { Device } from '../device.ts';

export interface DeviceDetails {
  device: Device;
  info: OutputOf<'v1/agents/info'>['data'];
}

export interface TabProps extends DeviceDetails {
  reload(): Promise<void>;
  /** Reloads in the background, without counting as user activity. */
  refresh(): Promise<void>;
}
