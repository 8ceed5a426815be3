/** What tests of drags need of a GNOME desktop: a program to drag from, its pointer, and the agent's window there. Needs `--unsafe-mode`. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { eventually } from '../../eventually.ts';
import { evaluateInGnome } from '../gnome-bus.ts';
import type { Gnome } from '../gnome.ts';
import { dragSourceTitle, startProgramToDragFrom, type DragSource } from './drag-source.ts';

interface Point {
  x: number;
  y: number;
}

/** Where programs find the desktop: as a Wayland program, or as an X11 program through XWayland. */
export type ProgramKind = 'wayland' | 'x11';

export async function startDragSourceOnGnome(
  { folder }: Gnome,
  what: 'files' | 'text',
  content: readonly string[],
  { kind = 'wayland', scale = 1 }: { kind?: ProgramKind; scale?: number } = {},
): Promise<DragSource> {
  const variable = (name: string): string => String(evaluate(folder, `imports.gi.GLib.getenv('${name}')`));
  const program = startProgramToDragFrom([what, ...content], {
    XDG_RUNTIME_DIR: folder,
    HOME: folder,
    WAYLAND_DISPLAY: 'wayland-0',
    DISPLAY: variable('DISPLAY'),
    XAUTHORITY: variable('XAUTHORITY'),
    GDK_BACKEND: kind,
  });
  const { x, y, width, height } = await raiseWindow(folder, dragSourceTitle);
  return { ...program, at: { x: Math.floor(x + width / 2) * scale, y: Math.floor(y + height / 2) * scale } };
}

/** Resolves when the pointer is at this point and the left button is held or not. */
export const pointerIsAt = ({ folder }: Gnome, { x, y }: Point, isHeld: boolean): Promise<unknown> =>
  eventually(
    () => evaluate(folder, 'global.get_pointer()') as number[],
    ([atX, atY, state]) => atX === x && atY === y && ((state! & leftButton) !== 0) === isHeld,
  );

/** Whether the agent's window that takes drops is on the desktop. */
export const hasDropWindow = ({ folder }: Gnome): boolean =>
  true ===
  evaluate(
    folder,
    `global.get_window_actors().some(({ meta_window }) => meta_window.get_title() === 'Drawbridge drop target')`,
  );

const leftButton = 1 << 8;

/** New windows may open behind the one that records. Resolves with its place once it is shown above. */
async function raiseWindow(folder: string, title: string): Promise<Box> {
  const found = await eventually(
    () => evaluate(folder, raisingScript(title)) as Box | null,
    (box) => box !== null,
  );
  return found!;
}

const raisingScript = (title: string): string => `(() => {
  const actor = global.get_window_actors().find(({ meta_window }) => meta_window.get_title() === '${title}');
  if (!actor) return null;
  actor.meta_window.make_above();
  Main.activateWindow(actor.meta_window);
  const { x, y, width, height } = actor.meta_window.get_frame_rect();
  return actor.visible && actor.scale_x === 1 && actor.opacity === 255 ? { x, y, width, height } : null;
})()`;

/** Returns the value of a script in GNOME Shell. */
function evaluate(folder: string, script: string): unknown {
  const reply = evaluateInGnome(folder, script);
  const [, json] = /boolean true\s+string "(.*)"/s.exec(reply) ?? [];
  if (json === undefined) throw new Error(reply);
  return JSON.parse(json);
}
