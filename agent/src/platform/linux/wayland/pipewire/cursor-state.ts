/** The pointer of a stream: its last shape and position, told to listeners at once and at each change. */
import type { CursorShape } from '../../../desktop.ts';
import type { FrameCursor } from './frame.ts';

type CursorListener = (cursor: { x: number; y: number; shape?: CursorShape }) => void;

export interface CursorState {
  set(cursor: FrameCursor): void;
  onChange(listener: CursorListener): void;
  close(): void;
}

export function createCursorState(): CursorState {
  const listeners = new Set<CursorListener>();
  let last: FrameCursor | undefined;
  return {
    set(cursor) {
      const isSame = last && last.x === cursor.x && last.y === cursor.y && !cursor.shape;
      last = { ...last, ...cursor };
      if (!isSame) listeners.forEach((listener) => listener(cursor));
    },
    onChange(listener) {
      listeners.add(listener);
      if (last) listener(last);
    },
    close: () => listeners.clear(),
  };
}
