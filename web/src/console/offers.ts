/** Whether the console offers what it does by a kind of frame. */
import { frameKinds, type FrameKind, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { RemoteSession } from '@drawbridge/session/operator/session';

type Session = Pick<RemoteSession, 'knows' | 'permissions' | 'unable'>;

const permissionOf = (kind: FrameKindName): string | null => (frameKinds[kind] as FrameKind).permission;

/** The session allows the kind and the version of the device has it. */
export function mayUse({ knows, permissions }: Session, kind: FrameKindName): boolean {
  const permission = permissionOf(kind);
  return knows(kind) && (permission === null || permissions.has(permission));
}

/** The same, or the device gives a reason why it cannot do it, which is then shown. */
export const isOffered = (session: Session, kind: FrameKindName): boolean =>
  mayUse(session, kind) || (session.knows(kind) && whyUnable(session, kind) !== undefined);

export const whyUnable = ({ unable }: Session, kind: FrameKindName): string | undefined =>
  unable[permissionOf(kind) ?? ''];
