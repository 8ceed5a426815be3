/** The pointer of a VNC server: shape and position as the server reports them, and positions that operators set. */
import type { CursorShape } from '../../desktop.ts';
import type { VncConnection } from './connection.ts';

/**
 * Calls the listener at once with shape and position, and then with each change; the returned function unsubscribes. The
 * listener is not called if the server reports no shape, because it then draws the pointer itself, or not at all.
 */
export function watchCursor(
  vnc: VncConnection,
  listener: (cursor: { x: number; y: number; shape?: CursorShape }) => void,
): () => void {
  const notify = (withShape: boolean): void => {
    const { x, y, shape } = vnc.cursor;
    if (shape) listener(withShape ? { x, y, shape } : { x, y });
  };
  vnc.events.on('cursor', notify);
  notify(true);
  return () => void vnc.events.off('cursor', notify);
}

/** Records a pointer position that the agent itself has set. */
export function movePointer(vnc: VncConnection, x: number, y: number): void {
  if (x === vnc.cursor.x && y === vnc.cursor.y) return;
  Object.assign(vnc.cursor, { x, y });
  vnc.events.emit('cursor', false);
}
