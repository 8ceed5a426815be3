/** The monitors of a GNOME desktop as Mutter reports them. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Layout } from '../../../desktop.ts';
import { boundingBox } from '../../../../pixels/boxes.ts';
import { NotPossible } from '../../../platform.ts';
import type { BusObject, SessionBus } from '../dbus/session-bus.ts';

export const displayConfig: BusObject = {
  service: 'org.gnome.Mutter.DisplayConfig',
  path: '/org/gnome/Mutter/DisplayConfig',
  interface: 'org.gnome.Mutter.DisplayConfig',
};

type MonitorName = [connector: string, vendor: string, product: string, serial: string];
type Mode = [
  id: string,
  width: number,
  height: number,
  rate: number,
  scale: number,
  scales: number[],
  properties: { 'is-current'?: boolean },
];
type PhysicalMonitor = [name: MonitorName, modes: Mode[], properties: Record<string, unknown>];
type LogicalMonitor = [
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

/** In this mode, positions count pixels of the monitors and are not scaled. */
const physicalLayout = 2;

export interface MutterLayout {
  layout: Layout;
  /** The whole desktop in Mutter's coordinates. */
  area: Box;
}

export async function readMutterLayout(bus: SessionBus): Promise<MutterLayout> {
  const [, monitors, logical, properties] = await bus.callAll<CurrentState>(displayConfig, 'GetCurrentState');
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
      sizes: [],
    },
  };
}

function boxOf(
  [x, y, scale, transform, , names]: LogicalMonitor,
  monitors: PhysicalMonitor[],
  isPhysical: boolean,
): Box {
  const [, modes = []] = monitors.find(([[connector]]) => connector === names[0]?.[0]) ?? [];
  const [, width = 0, height = 0] =
    modes.find(([, , , , , , { 'is-current': isCurrent }]) => isCurrent) ?? [];
  const by = isPhysical ? 1 : scale;
  // Odd transforms are rotated by 90° or 270°.
  const [wide, high] = transform % 2 === 1 ? [height, width] : [width, height];
  return { x, y, width: Math.round(wide / by), height: Math.round(high / by) };
}
