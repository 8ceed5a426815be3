/** A frame whose content is not of its kind's shape: it comes from no honest operator, and ends the session. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';

export class MalformedFrame extends Error {}

export function malformed(kind: FrameKindName): never {
  throw new MalformedFrame(`A frame of the kind ${kind} was malformed.`);
}
