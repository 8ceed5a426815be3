/** What of a grant this device can do, and a sentence for each thing it can not. */
import {
  frameKinds,
  sessionPermissions,
  type FrameKind,
  type FrameKindName,
} from '@drawbridge/contract/session/frame-kinds';

export interface Abilities {
  permissions: ReadonlySet<string>;
  unable: Record<string, string>;
}

/** What is shown on a screen or done with one; without it nobody at the device sees that somebody is connected. */
const needsDisplay: ReadonlySet<string> = new Set([
  'agent_connect',
  'agent_control',
  'agent_clipboard',
  'agent_chat',
  'agent_audio_calls',
  'agent_lock_input',
  'agent_app_install_request',
]);

/** `heard`: the kinds of frames somebody on the device listens to. `noDisplay`: why there is no display, if there is none. */
export function abilitiesOf(
  granted: readonly string[],
  heard: ReadonlySet<FrameKindName>,
  noDisplay: string | undefined,
): Abilities {
  const unable: Record<string, string> = {};
  const permissions = new Set<string>();
  for (const permission of sessionPermissions.filter((each) => granted.includes(each))) {
    const reason = whyNot(permission, heard, noDisplay);
    if (reason === undefined) permissions.add(permission);
    else unable[permission] = reason.slice(0, 512);
  }
  return { permissions, unable };
}

function whyNot(
  permission: string,
  heard: ReadonlySet<FrameKindName>,
  noDisplay: string | undefined,
): string | undefined {
  if (noDisplay !== undefined && needsDisplay.has(permission)) return noDisplay;
  const isHeard = (Object.entries(frameKinds) as [FrameKindName, FrameKind][]).some(
    ([name, kind]) => kind.permission === permission && heard.has(name),
  );
  return isHeard ? undefined : 'This agent cannot do that.';
}
