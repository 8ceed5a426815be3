/** The device that a page shows, and what its tabs are given. */
import type { OutputOf } from '../api.ts';
import type { Device } from './device.ts';

export interface DeviceDetails {
  device: Device;
  info: OutputOf<'v1/agents/info'>['data'];
}

export interface TabProps extends DeviceDetails {
  reload(): Promise<void>;
  /** The page asks by itself. */
  refresh(): Promise<void>;
}
