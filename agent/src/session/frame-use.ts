/** Tells apart what operators do with frames: moving something on the device, using it, or neither. */
import { frameKinds, type FrameKind, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Payload } from '@drawbridge/session/payloads';

/** Frames that move something on the device, which one operator does at a time. */
export const isControl = (kind: FrameKindName): boolean =>
  (frameKinds[kind] as FrameKind).permission === 'agent_control';

/** Pages send the other frames by themselves, while nobody uses them. */
export const isUse = <Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): boolean =>
  kind !== 'shown' &&
  kind !== 'document' &&
  !(kind === 'terminal' && (payload as Payload<'terminal'>).do === 'read');
