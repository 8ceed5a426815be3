/** What a relay that means ill may do to a frame. */
import type { Ticket } from '@drawbridge/contract/session/signed';
import type { Tamper } from './evil-relay.ts';

export type Manner = (frame: Buffer) => Buffer[];

export const flip = (frame: Buffer, at: number): Buffer => {
  const changed = Buffer.from(frame);
  changed[at < 0 ? changed.length + at : at]! ^= 1;
  return changed;
};

/** Does it to one frame of a side, counted from 0. */
export const at =
  (side: Ticket['side'], number: number, change: Manner): Tamper =>
  (frame, from, count) =>
    from === side && count === number ? change(frame) : [frame];

export const manners: Record<string, Manner> = {
  dropped: () => [],
  repeated: (frame) => [frame, frame],
  'changed in its kind': (frame) => [flip(frame, 0)],
  'changed in its first bytes': (frame) => [flip(frame, 1)],
  'changed in its last byte': (frame) => [flip(frame, -1)],
  'cut short': (frame) => [frame.subarray(0, -1)],
  'made longer': (frame) => [Buffer.concat([frame, Buffer.of(0)])],
};
