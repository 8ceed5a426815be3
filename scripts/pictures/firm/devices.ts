/** The devices that a fictional firm manages: those of its customers, and its own. */

export const firmGroups = [
  'Hotel Lakeside',
  'Moor Dental',
  'Miller Joinery',
  'Town Library',
  'Our servers',
] as const;
type Group = (typeof firmGroups)[number];

export interface FirmDevice {
  name: string;
  group: Group;
  os: 'linux' | 'win' | 'mac' | 'android';
  user: string;
  /** Days since it was last online; absent if it is online. */
  away?: number;
  shows?: ScreenContent;
}

export type ScreenContent = 'sheet' | 'till' | 'terminal' | 'plan' | 'letter' | 'locked';

type Row = [name: string, os: FirmDevice['os'], user: string, shows: ScreenContent | number];

const table: Record<Group, readonly Row[]> = {
  'Hotel Lakeside': [
    ['Front desk left', 'linux', 'frontdesk', 'sheet'],
    ['Front desk right', 'linux', 'frontdesk', 'letter'],
    ['Back office', 'win', 'LAKESIDE\\s.brandt', 'sheet'],
    ['Restaurant till', 'linux', 'till', 'till'],
    ['Bar till', 'linux', 'till', 1],
    ['Conference room', 'linux', 'guest', 'locked'],
    ['Housekeeping tablet', 'android', '', 3],
    ['Manager’s MacBook', 'mac', 'sabine', 'letter'],
  ],
  'Moor Dental': [
    ['Reception 1', 'win', 'MOOR\\reception', 'letter'],
    ['Reception 2', 'win', 'MOOR\\reception', 'locked'],
    ['Treatment room 1', 'win', 'MOOR\\room1', 'plan'],
    ['Treatment room 2', 'win', 'MOOR\\room2', 1],
    ['X-ray workstation', 'linux', 'xray', 'plan'],
  ],
  'Miller Joinery': [
    ['Office Eva', 'linux', 'eva', 'letter'],
    ['Office Paul', 'linux', 'paul', 5],
    ['Drawing office 1', 'linux', 'cad', 'plan'],
    ['Drawing office 2', 'linux', 'cad', 'plan'],
    ['CNC saw', 'linux', 'saw', 'terminal'],
    ['Warehouse', 'linux', 'warehouse', 12],
  ],
  'Town Library': [
    ['Lending desk', 'linux', 'desk', 'sheet'],
    ['Catalogue 1', 'linux', 'visitor', 'locked'],
    ['Catalogue 2', 'linux', 'visitor', 22],
    ['Catalogue 3', 'linux', 'visitor', 'locked'],
    ['Children’s corner', 'linux', 'visitor', 1],
    ['Staff room', 'linux', 'staff', 'letter'],
  ],
  'Our servers': [
    ['backup-01', 'linux', 'root', 'terminal'],
    ['mail-01', 'linux', 'root', 'terminal'],
    ['monitor-01', 'linux', 'root', 'terminal'],
    ['web-01', 'linux', 'root', 'terminal'],
  ],
};

export const firmDevices: readonly FirmDevice[] = firmGroups.flatMap((group) =>
  table[group].map(([name, os, user, shows]) => ({
    name,
    group,
    os,
    user,
    ...(typeof shows === 'number' ? { away: shows } : { shows }),
  })),
);

/** Catalogue 2 again, after its disk was replaced. It exceeds the plan by one device. */
export const duplicateDevice: FirmDevice = {
  name: 'catalogue-2',
  group: 'Town Library',
  os: 'linux',
  user: 'visitor',
  shows: 'locked',
};
export const duplicatedName = 'Catalogue 2';

/** Waits for approval. */
export const newDevice: FirmDevice = {
  name: 'sauna-panel',
  group: 'Hotel Lakeside',
  os: 'linux',
  user: 'pi',
  shows: 'locked',
};

export const favourites = ['Front desk left', 'X-ray workstation', 'backup-01'];
/** The device whose page is shown. */
export const mainDevice = 'Front desk left';
