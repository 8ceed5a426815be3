/** Starts programs on a display from which files or a text can be dragged. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { findWindow } from '../desktop-programs.ts';
import { startProgram, type Program } from '../../process.ts';
import { nobodyCommand } from '../desktop-of-another-user.ts';
import type { Sway } from '../sway.ts';

export interface DragSource extends Program {
  /** A point inside its window. */
  at: { x: number; y: number };
}

/** `content`: the addresses of the files, or the text. */
export async function startDragSource(
  display: string,
  what: 'files' | 'text',
  content: readonly string[],
): Promise<DragSource> {
  const program = start([what, ...content], { DISPLAY: display });
  return { ...program, at: centreOf(await findWindow(dragSourceTitle, display)) };
}

export async function startDragSourceOnSway(
  sway: Sway,
  what: 'files' | 'text',
  content: readonly string[],
  scale = 1,
): Promise<DragSource> {
  const { folder } = sway;
  const desktop = {
    XDG_RUNTIME_DIR: folder,
    HOME: folder,
    WAYLAND_DISPLAY: 'wayland-1',
    GDK_BACKEND: 'wayland',
  };
  const program = startProgramToDragFrom([what, ...content], desktop);
  return { ...program, at: pixelsOf(centreOf(await sway.window(dragSourceTitle)), scale) };
}

/** Starts the program as the user of a desktop of another user. */
export const startProgramToDragFrom = (args: readonly string[], env: Record<string, string>): Program =>
  start(args, env, process.getuid?.() === 0 ? nobodyCommand : []);

export const dragSourceTitle = `drag source ${process.pid}`;

const start = (
  args: readonly string[],
  env: Record<string, string>,
  before: readonly string[] = [],
): Program =>
  startProgram(
    'tests/kit/display/drag/drag-source-program.ts',
    [dragSourceTitle, ...args],
    { ...env, NO_AT_BRIDGE: '1', LC_ALL: 'C.UTF-8' },
    before,
  );

const centreOf = ({ x, y, width, height }: Box): { x: number; y: number } => ({
  x: x + Math.floor(width / 2),
  y: y + Math.floor(height / 2),
});

/** Places of windows are in units, which have several pixels on a scaled monitor. */
const pixelsOf = ({ x, y }: { x: number; y: number }, scale: number): { x: number; y: number } => ({
  x: x * scale,
  y: y * scale,
});
