/** What a session does with each frame of its operator: its own frames itself, the rest through its features, nothing that is not allowed. */
import { frameKinds, type FrameKind, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { decodeMessage, type SessionMessage } from '@drawbridge/contract/session/messages';
import type { SessionCapabilities } from './capabilities.ts';
import type { Seat } from './participants.ts';
import { checkFrame } from './enforce.ts';
import type { OpenedFrame } from './seal.ts';

export interface FrameDispatchDeps {
  /** Undefined until the session is live. */
  live(): { capabilities: SessionCapabilities; seat: Seat } | undefined;
  send(kind: FrameKindName, payload: Uint8Array): void;
  refuse(kind: FrameKindName, message: string): void;
  fault(message: string): void;
  onEnd(goodbye: SessionMessage<'end'>): void;
  /** For the features. */
  toFeature(kind: FrameKindName, payload: Uint8Array): void;
}

const noPermissions: ReadonlySet<string> = new Set();

export function dispatchFrame(deps: FrameDispatchDeps, { kind, payload }: OpenedFrame): void {
  const live = deps.live();
  const verdict = checkFrame(kind, payload, live?.capabilities.permissions ?? noPermissions);
  if (verdict.is === 'fault') return deps.fault(verdict.message);
  if (verdict.is === 'refused') {
    const { permission }: FrameKind = frameKinds[kind];
    return deps.refuse(kind, live?.capabilities.unable[permission ?? ''] ?? verdict.message);
  }
  const handler = sessionHandlers[kind];
  if (handler) return handler(deps, payload);
  if (!live) return deps.refuse(kind, 'The session has not started yet.');
  const whyNot = isControl(kind) ? live.seat.whyNotDriving() : undefined;
  if (whyNot !== undefined) return deps.refuse(kind, whyNot);
  return deps.toFeature(kind, payload);
}

/** Moves something on the device, which one person does at a time. */
const isControl = (kind: FrameKindName): boolean =>
  (frameKinds[kind] as FrameKind).permission === 'agent_control';

const sessionHandlers: Partial<
  Record<FrameKindName, (deps: FrameDispatchDeps, payload: Uint8Array) => void>
> = {
  confirm: ({ fault }) => fault('The operator confirmed the session key twice.'),
  end: ({ onEnd }, payload) => onEnd(decodeMessage('end', payload)!),
  ping: ({ send }, payload) => send('pong', payload),
  pong: () => {},
  rekey: () => {},
  drive({ live, refuse }, payload) {
    const whyNot = live()!.seat.drive(decodeMessage('drive', payload)!.to);
    if (whyNot !== undefined) refuse('drive', whyNot);
  },
};
