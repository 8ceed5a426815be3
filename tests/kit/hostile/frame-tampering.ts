/** What a hostile relay may do to a frame. */
import type { Ticket } from '@drawbridge/contract/session/signed';
import type { Tamper } from './evil-relay.ts';

export type FrameTampering = (frame: Buffer) => Buffer[];

export const flipBit = (frame: Buffer, at: number): Buffer => {
  const changed = Buffer.from(frame);
  changed[at < 0 ? changed.length + at : at]! ^= 1;
  return changed;
};

/** Applies it to one frame of a side, counted from 0. */
export const tamperAt =
  (side: Ticket['side'], number: number, change: FrameTampering): Tamper =>
  (frame, from, count) =>
    from === side && count === number ? change(frame) : [frame];

export const frameTamperings: Record<string, FrameTampering> = {
  dropped: () => [],
  repeated: (frame) => [frame, frame],
  'changed in its kind': (frame) => [flipBit(frame, 0)],
  'changed in its first bytes': (frame) => [flipBit(frame, 1)],
  'changed in its last byte': (frame) => [flipBit(frame, -1)],
  'cut short': (frame) => [frame.subarray(0, -1)],
  'made longer': (frame) => [Buffer.concat([frame, Buffer.of(0)])],
};
