/** Which devices update now: in the hours of the account, canaries first, a few at a time, and none after too many failures. */
import type { Policy } from '@drawbridge/contract/policy';
import { isNewerVersion } from '@drawbridge/contract/uplink/release';

export interface UpdateSettings {
  enabled: boolean;
  /** Hours of the day in UTC; equal for the whole day. */
  windowStart: number;
  windowEnd: number;
  /** Groups whose devices go first. */
  groups: readonly number[];
  canary: number;
  failurePercent: number;
  perMinute: number;
}

/** What paused updates; empty if they are not paused. */
export type PausedBy = '' | 'person' | 'failures';

export const defaultUpdateSettings: UpdateSettings = {
  enabled: false,
  windowStart: 0,
  windowEnd: 0,
  groups: [],
  canary: 5,
  failurePercent: 20,
  perMinute: 30,
};

/** What a device reports, and `requested` before it does. `refused`: not now, for example because somebody is connected. */
export type UpdateProgress =
  | ''
  | 'requested'
  | 'downloading'
  | 'waiting'
  | 'restarting'
  | 'refused'
  | 'failed'
  | 'done';

export interface DeviceUpdate {
  id: number;
  groupId: number | null;
  version: string;
  /** Whether it runs as a service: others cannot update themselves. */
  installed: boolean;
  online: boolean;
  /** The setting of its policy. */
  channel: Policy['update_channel'];
  /** The only version that it may have; empty for any. */
  pin: string;
  progress: UpdateProgress;
  /** The version of the last update. */
  target: string;
  /** When the progress was reported. */
  time: number;
}

/** A device with what it reported about its last update. */
export interface ListedUpdate extends DeviceUpdate {
  deviceId: number;
  name: string;
  /** Why it refused or failed. */
  message: string;
}

export type UpdateState = 'current' | 'outdated' | 'held' | 'updating' | 'waiting' | 'refused' | 'failed';

/** A device that reports nothing for this time is asked again. */
const silence = 1_800;
/** A device that refused is asked again after this time. */
const refusalDelay = 900;
/** The most devices of an account that update at once, so that downloads do not slow down the server. */
export const maxAtOnce = 50;
/** How often the server asks devices, in seconds. */
export const updateRound = 10;

const active: readonly string[] = ['updating', 'waiting'] satisfies UpdateState[];

/** The state of a device while the server offers this version. */
export function updateStateOf(device: DeviceUpdate, version: string, now: number): UpdateState {
  if (!isNewerVersion(version, device.version)) return 'current';
  if (device.channel === 'off' || (device.pin !== '' && device.pin !== version)) return 'held';
  const state = device.target === version ? stateOf[device.progress] : 'outdated';
  return active.includes(state) && now - device.time >= silence ? 'outdated' : state;
}

const stateOf: Readonly<Record<UpdateProgress, UpdateState>> = {
  '': 'outdated',
  requested: 'updating',
  downloading: 'updating',
  waiting: 'waiting',
  restarting: 'updating',
  refused: 'refused',
  failed: 'failed',
  done: 'outdated',
};

export interface UpdatePlan {
  settings: UpdateSettings;
  /** The version that the server offers. */
  version: string;
  devices: readonly DeviceUpdate[];
  now: number;
}

/** The devices to ask now, or that updates must pause. */
export function planUpdates(plan: UpdatePlan): { ask: number[] } | 'pause' {
  const { settings, devices, version, now } = plan;
  const tried = devices.filter((device) => device.target === version);
  const done = tried.filter(({ progress }) => progress === 'done').length;
  const failed = tried.filter(({ progress }) => progress === 'failed').length;
  const isSample = done + failed >= Math.max(settings.canary, 1);
  if (isSample && failed * 100 >= settings.failurePercent * (done + failed)) return 'pause';
  if (!isInWindow(settings, now)) return { ask: [] };
  const busy = tried.filter((device) => active.includes(updateStateOf(device, version, now))).length;
  const canaries = done < settings.canary ? settings.canary - done - busy : Infinity;
  const perRound = Math.ceil((settings.perMinute * updateRound) / 60);
  const room = Math.max(0, Math.min(perRound, maxAtOnce - busy, canaries));
  return { ask: candidates(plan).slice(0, room) };
}

/** Devices that can begin, those of the first groups first. */
function candidates({ settings, devices, version, now }: UpdatePlan): number[] {
  const rankOf = ({ groupId }: DeviceUpdate): number => {
    const index = groupId === null ? -1 : settings.groups.indexOf(groupId);
    return index === -1 ? settings.groups.length : index;
  };
  return devices
    .filter((device) => device.online && device.installed && mayBegin(device, version, now))
    .sort((left, right) => rankOf(left) - rankOf(right) || left.id - right.id)
    .map(({ id }) => id);
}

function mayBegin(device: DeviceUpdate, version: string, now: number): boolean {
  const state = updateStateOf(device, version, now);
  return state === 'outdated' || (state === 'refused' && now - device.time >= refusalDelay);
}

function isInWindow({ windowStart, windowEnd }: UpdateSettings, now: number): boolean {
  const hour = Math.floor(now / 3_600) % 24;
  if (windowStart === windowEnd) return true;
  return windowStart < windowEnd
    ? hour >= windowStart && hour < windowEnd
    : hour >= windowStart || hour < windowEnd;
}
