/** Starts programs on a display from which files or a text can be dragged. */
import { findWindow } from '../desktop-programs.ts';
import { startProgram, type Program } from '../../process.ts';

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
  const title = `drag source ${process.pid}`;
  const args = [title, what, ...content];
  const program = startProgram('tests/kit/display/drag/drag-source-program.ts', args, {
    DISPLAY: display,
    NO_AT_BRIDGE: '1',
    LC_ALL: 'C.UTF-8',
  });
  const { x, y, width, height } = await findWindow(title, display);
  return { ...program, at: { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) } };
}
