/** The monitors, as the X11 display reports them, otherwise as the kernel detects them. */
import { readFile } from 'node:fs/promises';
import type { Hardware } from '@drawbridge/contract/hardware';
import { findDisplays } from '../display.ts';
import { namesIn, textOf } from './system-files.ts';

type Monitors = Hardware['Monitors'];

/** A monitor at a connector of a graphics card. */
interface ConnectedMonitor {
  /** Such as `HDMI-A-1`. */
  connector: string;
  name: string;
  width: number;
  height: number;
}

export async function monitorsOf(): Promise<Monitors> {
  const [shown, connected] = [await shownMonitors().catch(() => []), await connectedMonitors()];
  const named = (connector: string): string =>
    connected.find((each) => isSameConnector(each.connector, connector))?.name || connector;
  const monitors = shown.length > 0 ? shown : connected.map((each) => ({ ...each, name: each.connector }));
  return monitors.map(({ name, width, height }) => ({
    Name: named(name),
    ScreenHeight: height,
    ScreenWidth: width,
  }));
}

/** X11 writes `HDMI-1` for what the kernel calls `HDMI-A-1`. */
const isSameConnector = (one: string, other: string): boolean =>
  one.replace(/-[A-Z]-/, '-') === other.replace(/-[A-Z]-/, '-');

async function shownMonitors(): Promise<readonly { name: string; width: number; height: number }[]> {
  if ((await findDisplays()).length === 0) return [];
  const [{ connectToDisplay }, { layoutOf }] = await Promise.all([
    import('../x11/connection.ts'),
    import('../x11/layout.ts'),
  ]);
  const connection = await connectToDisplay();
  try {
    return (await layoutOf(connection)).monitors;
  } finally {
    connection.close();
  }
}

/** `root` is the folder that contains the system's files. */
export async function connectedMonitors(root = ''): Promise<ConnectedMonitor[]> {
  const drm = `${root}/sys/class/drm`;
  const connectors = (await namesIn(drm)).filter((name) => /^card\d+-/.test(name)).toSorted();
  const found = await Promise.all(
    connectors.map(async (folder) => {
      if ((await textOf(`${drm}/${folder}/status`)) !== 'connected') return [];
      const edid = await readFile(`${drm}/${folder}/edid`).catch(() => Buffer.alloc(0));
      const [mode = ''] = (await textOf(`${drm}/${folder}/modes`)).split('\n');
      const [, width, height] = /^(\d+)x(\d+)/.exec(mode) ?? [];
      const connector = folder.replace(/^card\d+-/, '');
      const described = readEdid(edid);
      return [
        {
          connector,
          name: described.name,
          width: Number(width ?? described.width),
          height: Number(height ?? described.height),
        },
      ];
    }),
  );
  return found.flat();
}

const edidStart = Buffer.from([0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00]);
/** Offsets of the four descriptors of 18 bytes; the first one is the preferred size. */
const descriptors = [54, 72, 90, 108];
const nameTag = 0xfc;

/** Reads name and size from an EDID; empty and zero if it contains none. */
export function readEdid(edid: Buffer): { name: string; width: number; height: number } {
  if (edid.length < 128 || !edid.subarray(0, 8).equals(edidStart)) return { name: '', width: 0, height: 0 };
  const at = descriptors.find((each) => edid.readUIntBE(each, 3) === 0 && edid[each + 3] === nameTag);
  const name =
    at === undefined
      ? ''
      : edid
          .toString('latin1', at + 5, at + 18)
          .split('\n')[0]!
          .trim();
  return {
    name,
    width: edid[56]! | ((edid[58]! & 0xf0) << 4),
    height: edid[59]! | ((edid[61]! & 0xf0) << 4),
  };
}
