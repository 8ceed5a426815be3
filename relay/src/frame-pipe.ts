/** One direction of a session: forwards frames with back-pressure, pausing the sender while the receiver is slow. */
import type { WebSocket } from 'ws';
import type { RelayLimits } from './limits.ts';

export interface FramePipe {
  /** Bytes of the frames forwarded so far. */
  readonly bytes: number;
  /** A text, between nodes, stays a text. */
  forward(frame: Buffer, isBinary?: boolean): void;
  /** Bytes that the receiver has not taken yet. */
  waiting(): number;
}

export function createFramePipe(from: WebSocket, to: WebSocket, limits: RelayLimits): FramePipe {
  let bytes = 0;
  /** Frames forwarded since the buffer was last empty. */
  let frames = 0;

  // Frames leave the buffer in order: once the last one has left, so have those before it.
  const onDrained = (): void => {
    if (to.bufferedAmount > limits.waitingBytes / 4) return;
    frames = 0;
    if (from.isPaused) from.resume();
  };

  return {
    get bytes() {
      return bytes;
    },
    forward(frame, isBinary = true) {
      const waiting = to.bufferedAmount;
      frames = waiting === 0 ? 0 : frames + 1;
      bytes += frame.length;
      if (waiting + frame.length <= limits.waitingBytes && frames < limits.waitingFrames)
        return to.send(isBinary && waiting === 0 ? frame : ownCopy(frame, isBinary));
      from.pause();
      to.send(ownCopy(frame, isBinary), onDrained);
    },
    waiting: () => to.bufferedAmount,
  };
}

/** A frame is a view of the buffer it was received in. While it waits, it must not keep the whole buffer in memory. */
const copyIfSmall = (frame: Buffer): Buffer =>
  frame.length * 2 < frame.buffer.byteLength ? Buffer.from(frame) : frame;

const ownCopy = (frame: Buffer, isBinary: boolean): Buffer | string =>
  isBinary ? copyIfSmall(frame) : frame.toString();
