/** Applies the policy of the device to a session, whatever its grant says: the stricter of the two counts. */
import { limitsOf, type Policy } from '@drawbridge/contract/policy';
import { frameKinds, maySend, type SessionPermission } from '@drawbridge/contract/session/frame-kinds';
import type { Grant, RecordingTarget } from '@drawbridge/contract/session/signed';
import { openDirectPeer } from '@drawbridge/session/node/direct-peer';
import type { OpenDirectPeer } from '@drawbridge/session/transport-switch';
import { NotPossible } from '../platform/platform.ts';
import type { AgentSessionState } from './agent-session-state.ts';
import type { SessionCapabilities } from './capabilities.ts';
import { requireApprovedRecording } from './second-person.ts';

const notAllowed = 'The policy of this device does not allow this.';
const noRecordings = 'The policy of this device does not allow recordings.';
const noDirect = 'The policy of this device does not allow direct connections.';

/** Why a session must not begin under this policy; undefined if it may. */
export function whyForbidden(grant: Grant, isOnetime: boolean, policy: Policy): string | undefined {
  if (policy.recording === 'off' && grant.record) return noRecordings;
  return whyOver(grant, isOnetime, policy);
}

function whyOver({ record }: Grant, isOnetime: boolean, policy: Policy): string | undefined {
  if (isOnetime && policy.onetime_url === 'forbid')
    return 'The policy of this device does not allow one-time links.';
  return policy.recording === 'always' && !record
    ? 'The policy of this device requires that sessions are recorded.'
    : undefined;
}

/** The grant without what the policy forbids. */
export function limitGrant(grant: Grant, policy: Policy): Grant {
  const limits = limitsOf(policy);
  return {
    ...grant,
    permissions: grant.permissions.filter((each) => limits.get(each as SessionPermission) !== 'off'),
    confirm: grant.confirm || policy.confirm === 'always',
    ice: policy.direct === 'off' ? undefined : grant.ice,
  };
}

/** The policy has changed during the session. */
export function applyPolicy(state: AgentSessionState): void {
  const { grant, live, features, options, hasTriedDirect } = state;
  const policy = options.policy();
  const end = (message: string, back: boolean): void => state.connection.end({ by: 'device', message, back });
  const why = whyOver(grant, options.isOnetime, policy);
  if (why !== undefined) return end(why, false);
  if (policy.confirm === 'always' && !grant.confirm)
    return end('The person at the device must now be asked first.', false);
  if (policy.notice === 'required' && options.isUntold())
    return end(
      'The policy of this device now requires that the person there is told who is connected.',
      false,
    );
  // The operator returns over the relay.
  if (policy.direct === 'off' && hasTriedDirect) return end(noDirect, true);
  if (!live) return;
  if (policy.recording === 'off') stopRecording(state);
  const capabilities = limitCapabilities(live.capabilities, policy);
  if (capabilities.permissions.size < live.capabilities.permissions.size) {
    state.live = { ...live, capabilities };
    features.restrict((kind) => maySend('operator', frameKinds[kind].byte, capabilities.permissions));
    live.announceCapabilities(capabilities);
  }
  features.policyChanged();
  live.idleTimer.update();
}

/** What was taken away does not return during the session. */
function limitCapabilities(
  { permissions, unable }: SessionCapabilities,
  policy: Policy,
): SessionCapabilities {
  const limits = limitsOf(policy);
  const removed = [...permissions].filter((each) => limits.get(each as SessionPermission) === 'off');
  return {
    permissions: permissions.difference(new Set(removed)),
    unable: { ...unable, ...Object.fromEntries(removed.map((each) => [each, notAllowed])) },
  };
}

function stopRecording({ grant, live, recording, manualRecording }: AgentSessionState): void {
  if (grant.record) {
    if (recording.isRunning()) void Promise.all([recording.stop(), live?.announceRecording(false)]);
  } else if (manualRecording.isWanted()) manualRecording.switchTo(undefined);
}

/** Starts or stops a recording that the operator asked for; throws the reason for a refusal. */
export function recordUnderPolicy(state: AgentSessionState, target: RecordingTarget | undefined): void {
  const { options, manualRecording } = state;
  if (target && options.policy().recording === 'off') throw new NotPossible(noRecordings);
  if (target) requireApprovedRecording(state);
  manualRecording.switchTo(target);
}

/** Operators may offer a direct connection at any time, also after the policy has changed. */
export const createPeerOpener =
  (state: AgentSessionState): OpenDirectPeer =>
  (...given) => {
    if (state.options.policy().direct === 'off') throw new NotPossible(noDirect);
    state.hasTriedDirect = true;
    return openDirectPeer(...given);
  };
