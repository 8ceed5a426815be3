/** Builds cursor frames for the part of the screen that an operator sees: the position, and the shape when it changes. */
import { encodeCursor, type Box } from '@drawbridge/contract/session/screen-frames';
import type { CursorShape } from '../platform/desktop.ts';
import { encodeTransparentPng } from '../platform/png.ts';

export interface CursorFrames {
  /** Returns the frame for a cursor event; undefined if nothing changes for the operator. */
  next(cursor: { x: number; y: number; shape?: CursorShape }): Uint8Array | undefined;
}

type FrameShape = NonNullable<Parameters<typeof encodeCursor>[0]['shape']>;

const hidden: FrameShape = { width: 0, height: 0, hotX: 0, hotY: 0, png: new Uint8Array() };

export function createCursorFrames(box: Box): CursorFrames {
  let shape = hidden;
  /** What the operator knows; undefined before the first frame. */
  let sent: { x: number; y: number; shape: FrameShape } | undefined;
  return {
    next(cursor) {
      if (cursor.shape) shape = frameShape(cursor.shape);
      const [x, y] = [cursor.x - box.x, cursor.y - box.y];
      const isInside = x >= 0 && y >= 0 && x < box.width && y < box.height;
      const now = isInside ? { x, y, shape } : { x: sent?.x ?? 0, y: sent?.y ?? 0, shape: hidden };
      const before = sent;
      sent = now;
      if (now.shape !== before?.shape) return encodeCursor(now);
      return now.x === before.x && now.y === before.y ? undefined : encodeCursor({ x: now.x, y: now.y });
    },
  };
}

function frameShape({ width, height, hotX, hotY, rgba }: CursorShape): FrameShape {
  if (width === 0 || height === 0) return hidden;
  return { width, height, hotX, hotY, png: encodeTransparentPng(width, height, withStraightAlpha(rgba)) };
}

/** Converts premultiplied alpha to straight alpha, which PNG uses. */
function withStraightAlpha(rgba: Uint8Array): Uint8Array {
  const plain = new Uint8Array(rgba);
  for (let at = 0; at < plain.length; at += 4) {
    const alpha = plain[at + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel += 1)
      plain[channel] = Math.min(255, Math.round((plain[channel]! * 255) / alpha));
  }
  return plain;
}
