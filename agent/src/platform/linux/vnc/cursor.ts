/** The pointer of a VNC server: its shape and place as the server tells them, and the places operators move it to. */
import type { CursorShape } from '../../desktop.ts';
import type { Line } from './line.ts';

/**
 * Calls out with shape and place at once, and from then on with what changes; the answer ends it. Nothing is said where
 * the server tells no shape: it then draws the pointer itself, or not at all.
 */
export function watchCursor(
  line: Line,
  listener: (cursor: { x: number; y: number; shape?: CursorShape }) => void,
): () => void {
  const tell = (withShape: boolean): void => {
    const { x, y, shape } = line.cursor;
    if (shape) listener(withShape ? { x, y, shape } : { x, y });
  };
  line.events.on('cursor', tell);
  tell(true);
  return () => void line.events.off('cursor', tell);
}

/** What the agent itself did to the pointer. */
export function movePointer(line: Line, x: number, y: number): void {
  if (x === line.cursor.x && y === line.cursor.y) return;
  Object.assign(line.cursor, { x, y });
  line.events.emit('cursor', false);
}
