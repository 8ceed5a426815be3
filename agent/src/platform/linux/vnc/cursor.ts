/** The pointer of a VNC server: its shape and place as the server tells them, and the places operators move it to. */
import type { CursorShape } from '../../desktop.ts';
import type { VncConnection } from './connection.ts';

/**
 * Calls out with shape and place at once, and from then on with what changes; the answer ends it. Nothing is said where
 * the server tells no shape: it then draws the pointer itself, or not at all.
 */
export function watchCursor(
  vnc: VncConnection,
  listener: (cursor: { x: number; y: number; shape?: CursorShape }) => void,
): () => void {
  const tell = (withShape: boolean): void => {
    const { x, y, shape } = vnc.cursor;
    if (shape) listener(withShape ? { x, y, shape } : { x, y });
  };
  vnc.events.on('cursor', tell);
  tell(true);
  return () => void vnc.events.off('cursor', tell);
}

/** What the agent itself did to the pointer. */
export function movePointer(vnc: VncConnection, x: number, y: number): void {
  if (x === vnc.cursor.x && y === vnc.cursor.y) return;
  Object.assign(vnc.cursor, { x, y });
  vnc.events.emit('cursor', false);
}
