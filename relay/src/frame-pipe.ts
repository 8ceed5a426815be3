/** One direction of a session: hands frames on no faster than they are taken, and keeps the sender waiting meanwhile. */
import type { WebSocket } from 'ws';
import type { RelayLimits } from './limits.ts';

export interface FramePipe {
  /** Bytes handed on so far, as the sender wrote them. */
  readonly bytes: number;
  forward(frame: Buffer): void;
  /** Bytes the receiver has not taken yet. */
  waiting(): number;
}

export function createFramePipe(from: WebSocket, to: WebSocket, limits: RelayLimits): FramePipe {
  let bytes = 0;
  /** Frames since nothing waited. */
  let frames = 0;

  // What was handed on is taken in order: once the last frame is, the ones before are too.
  const onDrained = (): void => {
    if (to.bufferedAmount > limits.waitingBytes / 4) return;
    frames = 0;
    if (from.isPaused) from.resume();
  };

  return {
    get bytes() {
      return bytes;
    },
    forward(frame) {
      const waiting = to.bufferedAmount;
      frames = waiting === 0 ? 0 : frames + 1;
      bytes += frame.length;
      if (waiting + frame.length <= limits.waitingBytes && frames < limits.waitingFrames)
        return to.send(waiting === 0 ? frame : copyIfSmall(frame));
      from.pause();
      to.send(copyIfSmall(frame), onDrained);
    },
    waiting: () => to.bufferedAmount,
  };
}

/** A frame is a piece of what came in at once; while it waits, it must not hold on to the rest of that. */
const copyIfSmall = (frame: Buffer): Buffer =>
  frame.length * 2 < frame.buffer.byteLength ? Buffer.from(frame) : frame;
