/** Which permissions of a grant this device can serve, and a sentence for each one that it cannot. */
import {
  frameKinds,
  sessionPermissions,
  type FrameKind,
  type FrameKindName,
} from '@drawbridge/contract/session/frame-kinds';

export interface SessionCapabilities {
  permissions: ReadonlySet<string>;
  unable: Record<string, string>;
}

/** Permissions that need a display; without one, nobody at the device can see that an operator is connected. */
const needsDisplay: ReadonlySet<string> = new Set([
  'agent_connect',
  'agent_control',
  'agent_clipboard',
  'agent_chat',
  'agent_audio_calls',
  'agent_lock_input',
  'agent_app_install_request',
]);

/** `handledKinds`: the kinds of frames that a feature handles. `noDisplay`: why there is no display, if there is none. */
export function capabilitiesOf(
  granted: readonly string[],
  handledKinds: ReadonlySet<FrameKindName>,
  noDisplay: string | undefined,
): SessionCapabilities {
  const unable: Record<string, string> = {};
  const permissions = new Set<string>();
  for (const permission of sessionPermissions.filter((each) => granted.includes(each))) {
    const reason = whyNot(permission, handledKinds, noDisplay);
    if (reason === undefined) permissions.add(permission);
    else unable[permission] = reason.slice(0, 512);
  }
  return { permissions, unable };
}

function whyNot(
  permission: string,
  handledKinds: ReadonlySet<FrameKindName>,
  noDisplay: string | undefined,
): string | undefined {
  if (noDisplay !== undefined && needsDisplay.has(permission)) return noDisplay;
  const isHandled = (Object.entries(frameKinds) as [FrameKindName, FrameKind][]).some(
    ([name, kind]) => kind.permission === permission && handledKinds.has(name),
  );
  return isHandled ? undefined : 'This agent cannot do that.';
}
