/** The monitors of a GNOME desktop as Mutter reports them. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Layout, ScreenSize } from '../../../desktop.ts';
import { boundingBox } from '../../../../pixels/boxes.ts';
import { NotPossible } from '../../../platform.ts';
import type { BusObject, SessionBus } from '../dbus/session-bus.ts';

export const displayConfig: BusObject = {
  service: 'org.gnome.Mutter.DisplayConfig',
  path: '/org/gnome/Mutter/DisplayConfig',
  interface: 'org.gnome.Mutter.DisplayConfig',
};

type MonitorName = [connector: string, vendor: string, product: string, serial: string];
export type Mode = [
  id: string,
  width: number,
  height: number,
  rate: number,
  scale: number,
  scales: number[],
  properties: { 'is-current'?: boolean },
];
type PhysicalMonitor = [name: MonitorName, modes: Mode[], properties: Record<string, unknown>];
export type LogicalMonitor = [
  x: number,
  y: number,
  scale: number,
  transform: number,
  primary: boolean,
  monitors: MonitorName[],
  properties: unknown,
];
type CurrentState = [
  serial: number,
  monitors: PhysicalMonitor[],
  logical: LogicalMonitor[],
  properties: { 'layout-mode'?: number },
];

export const readMonitors = (bus: SessionBus): Promise<CurrentState> =>
  bus.callAll<CurrentState>(displayConfig, 'GetCurrentState');

/** In this mode, positions count pixels of the monitors and are not scaled. */
const physicalLayout = 2;
const maxSizes = 128;

export interface MutterLayout {
  layout: Layout;
  /** The whole desktop in Mutter's coordinates. */
  area: Box;
}

export async function readMutterLayout(bus: SessionBus): Promise<MutterLayout> {
  const [, monitors, logical, properties] = await readMonitors(bus);
  const isPhysical = properties['layout-mode'] === physicalLayout;
  const boxes = logical.map((each) => boxOf(each, monitors, isPhysical));
  if (boxes.length === 0) throw new NotPossible('The desktop of the device has no monitor.');
  const area = boundingBox(boxes);
  // Mutter draws everything at the largest scale.
  const scale = isPhysical ? 1 : Math.max(...logical.map(([, , each]) => each));
  const scaled = (length: number): number => Math.round(length * scale);
  return {
    area,
    layout: {
      width: scaled(area.width),
      height: scaled(area.height),
      monitors: boxes.map((box, at) => ({
        name: logical[at]![5][0]![0],
        primary: logical[at]![4],
        x: scaled(box.x - area.x),
        y: scaled(box.y - area.y),
        width: scaled(box.width),
        height: scaled(box.height),
      })),
      sizes: sizesOf(monitors, logical),
    },
  };
}

/** The only monitor that is used, with the modes that it supports. */
export function onlyMonitor(
  monitors: readonly PhysicalMonitor[],
  logical: readonly LogicalMonitor[],
): { monitor: LogicalMonitor; connector: string; modes: readonly Mode[] } | undefined {
  const [monitor, another] = logical;
  const [name, mirrored] = monitor?.[5] ?? [];
  if (!monitor || another || !name || mirrored) return undefined;
  const [, modes = []] = monitors.find(([[connector]]) => connector === name[0]) ?? [];
  return { monitor, connector: name[0], modes };
}

/** The size of a picture in this mode. Odd transforms are rotated by 90° or 270°. */
export const sizeIn = ([, width, height]: Mode, transform: number): ScreenSize =>
  transform % 2 === 1 ? { width: height, height: width } : { width, height };

function sizesOf(monitors: PhysicalMonitor[], logical: LogicalMonitor[]): ScreenSize[] {
  const { monitor, modes } = onlyMonitor(monitors, logical) ?? {};
  const found = (modes ?? []).map((mode) => sizeIn(mode, monitor![3]));
  const sizes = new Map(found.map((size) => [`${size.width}x${size.height}`, size]));
  return [...sizes.values()].slice(0, maxSizes);
}

function boxOf(
  [x, y, scale, transform, , names]: LogicalMonitor,
  monitors: PhysicalMonitor[],
  isPhysical: boolean,
): Box {
  const [, modes = []] = monitors.find(([[connector]]) => connector === names[0]?.[0]) ?? [];
  const mode = modes.find(([, , , , , , { 'is-current': isCurrent }]) => isCurrent);
  const { width, height } = mode ? sizeIn(mode, transform) : { width: 0, height: 0 };
  const by = isPhysical ? 1 : scale;
  return { x, y, width: Math.round(width / by), height: Math.round(height / by) };
}
