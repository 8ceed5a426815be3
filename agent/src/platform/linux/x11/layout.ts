/** The monitors of an X11 screen, their positions and the supported sizes, as the RandR extension reports them. */
import type x11 from 'x11';
import type { Layout, Monitor, ScreenSize } from '../../desktop.ts';
import { commonSizes } from '../common-sizes.ts';
import type { X11Connection } from './connection.ts';

const getMonitors = 42;
/** RandR reports monitors, not only outputs, since this minor version. */
const monitorsSince = 5;
/** The limits of a layout in the contract. */
const [maxMonitors, maxSizes] = [32, 128];

export async function layoutOf(connection: X11Connection): Promise<Layout> {
  const { client, root, call } = connection;
  const { width, height } = await call<{ width: number; height: number }>((done) =>
    client.GetGeometry(root, done),
  );
  const randr = await connection.extension('randr').catch(() => undefined);
  const found = randr ? await listMonitors(connection, randr) : [];
  const monitors = found.length > 0 ? found : [{ name: 'screen', x: 0, y: 0, width, height, primary: true }];
  return { width, height, monitors, sizes: randr ? await sizesOf(connection, randr) : [] };
}

export async function listMonitors(connection: X11Connection, randr: x11.Randr): Promise<Monitor[]> {
  if (randr.major_version === 1 && randr.minor_version < monitorsSince) return [];
  const { client, root, call, request } = connection;
  const found = await request({ major: randr.majorOpcode, minor: getMonitors }, [root, 1], readMonitors);
  const named = found.slice(0, maxMonitors).map(async ({ atom, ...monitor }) => ({
    ...monitor,
    name: (await call<string>((done) => client.GetAtomName(atom, done))).slice(0, 64),
  }));
  const monitors = await Promise.all(named);
  if (monitors[0] && !monitors.some(({ primary }) => primary)) monitors[0].primary = true;
  return monitors.filter(({ width, height, x, y }) => width > 0 && height > 0 && x >= 0 && y >= 0);
}

function readMonitors(body: Buffer): (Omit<Monitor, 'name'> & { atom: number })[] {
  const count = body.readUInt32LE(4);
  const monitors = [];
  let at = 24;
  for (let index = 0; index < count; index += 1) {
    monitors.push({
      atom: body.readUInt32LE(at),
      primary: body.readUInt8(at + 4) === 1,
      x: body.readInt16LE(at + 8),
      y: body.readInt16LE(at + 10),
      width: body.readUInt16LE(at + 12),
      height: body.readUInt16LE(at + 14),
    });
    at += 24 + 4 * body.readUInt16LE(at + 6);
  }
  return monitors;
}

export interface ActiveCrtc {
  resources: x11.Resources;
  id: number;
  crtc: x11.Crtc;
  /** With the sizes that they have in the rotation of the monitor. */
  modes: x11.Mode[];
  /** The largest size that can be added to a virtual output; undefined for a physical monitor. */
  maxVirtualSize: { width: number; height: number } | undefined;
}

/** The rotations by 90 and by 270 degrees. */
const sideways = 2 | 8;

/** Turns a size of the monitor into one of the screen, or the other way round. */
export const rotated = <Size extends ScreenSize>(size: Size, { rotation }: x11.Crtc): Size =>
  rotation & sideways ? { ...size, width: size.height, height: size.width } : size;

/** Returns the CRTC that drives the screen; undefined if there are several or none. */
export async function singleCrtc(
  connection: X11Connection,
  randr: x11.Randr,
): Promise<ActiveCrtc | undefined> {
  const { root, call } = connection;
  const resources = await call<x11.Resources>((done) => randr.GetScreenResourcesCurrent(root, done));
  const time = resources.config_timestamp;
  const crtcs = await Promise.all(
    resources.crtcs.map(async (id) => ({
      id,
      crtc: await call<x11.Crtc>((done) => randr.GetCrtcInfo(id, time, done)),
    })),
  );
  const [active, ...more] = crtcs.filter(({ crtc }) => crtc.mode !== 0 && crtc.output.length > 0);
  if (!active || more.length > 0) return undefined;
  const output = await call<x11.Output>((done) => randr.GetOutputInfo(active.crtc.output[0]!, time, done));
  const modes = resources.modeinfos
    .filter(({ id }) => output.modes.includes(id))
    .map((mode) => rotated(mode, active.crtc));
  const range = await call<{ maxWidth: number; maxHeight: number }>((done) =>
    randr.GetScreenSizeRange(root, done),
  );
  const isVirtual = output.mm_width === 0;
  return {
    resources,
    ...active,
    modes,
    maxVirtualSize: isVirtual ? { width: range.maxWidth, height: range.maxHeight } : undefined,
  };
}

async function sizesOf(
  connection: X11Connection,
  randr: x11.Randr,
): Promise<{ width: number; height: number }[]> {
  const active = await singleCrtc(connection, randr).catch(() => undefined);
  const largest = active?.maxVirtualSize ?? { width: 0, height: 0 };
  const sizes = new Map(
    [...(active?.modes ?? []), ...commonSizes(largest)].map(({ width, height }) => [
      `${width}x${height}`,
      { width, height },
    ]),
  );
  return [...sizes.values()].toSorted((a, b) => b.width * b.height - a.width * a.height).slice(0, maxSizes);
}

/** Whether the display runs under Wayland, where it shows only X11 windows. */
export async function isXwayland(connection: X11Connection): Promise<boolean> {
  const { client, call } = connection;
  const { present } = await call<{ present: number }>((done) => client.QueryExtension('XWAYLAND', done));
  if (present) return true;
  const { monitors } = await layoutOf(connection);
  return monitors.some(({ name }) => name.startsWith('XWAYLAND'));
}
