/** One session with one operator: once it is live, its features handle what the grant allows, until either side ends it. */
import {
  frameKinds,
  maySend,
  type FrameKind,
  type FrameKindName,
} from '@drawbridge/contract/session/frame-kinds';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { idleMinutesOf } from '@drawbridge/contract/policy';
import { startDeviceSession, type DeviceConnection, type SendableKind } from '@drawbridge/session/device';
import { nodeCrypto } from '@drawbridge/session/node/crypto';
import { encodeParts, type Payload, type PayloadParts } from '@drawbridge/session/payloads';
import { admitOperator, type AdmittedOperator } from './admit-operator.ts';
import type { AgentSessionOptions } from './agent-session-options.ts';
import type { AgentSession, AgentSessionState } from './agent-session-state.ts';
import { askPerson, consentSeconds } from './consent.ts';
import { createFeatureSet } from './feature-set.ts';
import type { FeatureContext } from './feature.ts';
import { isControl, isUse } from './frame-use.ts';
import { startIdleTimer } from './idle-timer.ts';
import { plainText } from './plain-text.ts';
import { prepareAdmission } from './prepare-admission.ts';
import { createManualRecording, type ManualRecording } from './recording/manual-recording.ts';
import { createSessionRecording } from './recording/session-recording.ts';
import { obtainApproval } from './second-person.ts';
import { applyPolicy, createPeerOpener, limitGrant, recordUnderPolicy } from './session-policy.ts';

const noPermissions: ReadonlySet<string> = new Set();
const maxMessage = 512;

export function startAgentSession(options: AgentSessionOptions): AgentSession {
  const { operator, reason = '' } = options.grant;
  const shown = { operator: { ...operator, name: plainText(operator.name) }, reason: plainText(reason) };
  const named = { ...options.grant, ...shown };
  const grant = limitGrant(named, options.policy());
  const { about, release } = prepareAdmission(options.platform, options.approvals?.isRequired() !== true);
  const state = {
    options,
    grant,
    ended: new AbortController(),
    closed: Promise.withResolvers<void>(),
    cleanups: [release],
    about,
    live: undefined,
    approved: undefined,
    hasTriedDirect: false,
    refusals: 0,
    log: (line: string) => options.log(`session ${grant.session}: ${line}`),
  } as unknown as AgentSessionState; // the remaining fields need the state itself and follow here
  state.features = createFeatureSet(toContext(state), options.features);
  state.recording = createSessionRecording({
    grant,
    connection: options.recordingConnection,
    refresh: () => state.features.handle('view', { fresh: true }),
    onFailure: (message) => end(state, 'device', message),
  });
  state.manualRecording = createManualRecordingOf(state);
  state.connection = connect(state);
  return {
    number: grant.session,
    end: (by, message, back) => end(state, by, message, back),
    record: (target) => recordUnderPolicy(state, target),
    policyChanged: () => applyPolicy(state),
    closed: state.closed.promise,
  };
}

const createManualRecordingOf = (state: AgentSessionState): ManualRecording =>
  createManualRecording({
    grant: state.grant,
    recording: state.recording,
    isLive: () => state.live !== undefined && !state.ended.signal.aborted,
    ask: (question) => ask(state, question, consentSeconds),
    announce: async (isRecorded) => state.live?.announceRecording(isRecorded),
    refuse: (message) => refuse(state, 'state', message),
  });

const ask = (
  { options: { platform, participants }, ended }: AgentSessionState,
  ...asked: Parameters<FeatureContext['ask']>
) => askPerson({ platform, participants, signal: ended.signal }, ...asked);

const permissionsOf = ({ live }: AgentSessionState): ReadonlySet<string> =>
  live?.capabilities.permissions ?? noPermissions;

function connect(state: AgentSessionState): DeviceConnection {
  const { signedGrant, deviceKey, openRelay, clock } = state.options;
  return startDeviceSession(
    {
      grant: state.grant,
      signedGrant,
      deviceKey,
      openRelay,
      openPeer: createPeerOpener(state),
      crypto: nodeCrypto,
      clock,
      permissions: () => permissionsOf(state),
      log: state.log,
    },
    {
      onOpen: (code, token) =>
        void admit(state, code, token).catch((error: unknown) =>
          end(state, 'fault', `The device reported an error: ${String(error)}`),
        ),
      onFrame: (kind, payload) => dispatchFrame(state, kind, payload),
      onForbidden: (kind) => refuseForbidden(state, kind),
      onEnd: ({ message }) => void finish(state, message),
    },
  );
}

function end(state: AgentSessionState, by: SessionMessage<'end'>['by'], message: string, back = false): void {
  state.connection.end({ by, message, back });
}

const endByPerson = (state: AgentSessionState): void =>
  end(state, 'device', 'The person at the device ended the session.');

function send<Kind extends SendableKind>(state: AgentSessionState, kind: Kind, payload: Payload<Kind>): void {
  if (maySend('device', frameKinds[kind].byte, permissionsOf(state)))
    sendEncoded(state, kind, ...encodeParts(kind, payload));
}

/** What nobody is shown any more is not recorded either, and what comes in parts, the content of files, never is. */
function sendEncoded(state: AgentSessionState, kind: SendableKind, ...payload: PayloadParts): void {
  if (!maySend('device', frameKinds[kind].byte, permissionsOf(state))) return;
  state.connection.sendEncoded(kind, ...payload);
  if (!state.ended.signal.aborted && payload.length === 1) state.recording.record(kind, payload[0]);
}

function refuse(state: AgentSessionState, kind: FrameKindName, message: string): void {
  state.refusals += 1;
  send(state, 'refused', { kind, message: message.slice(0, maxMessage) });
}

function refuseForbidden(state: AgentSessionState, kind: FrameKindName): void {
  const { permission }: FrameKind = frameKinds[kind];
  const reason = state.live?.capabilities.unable[permission ?? ''];
  refuse(state, kind, reason ?? 'This session does not have permission to do that.');
}

function dispatchFrame<Kind extends FrameKindName>(
  state: AgentSessionState,
  kind: Kind,
  payload: Payload<Kind>,
): void {
  const { live } = state;
  if (!live) return refuse(state, kind, 'The session has not started yet.');
  if (isUse(kind, payload)) live.idleTimer.used();
  const whyNot =
    kind === 'drive'
      ? live.seat.drive((payload as Payload<'drive'>).to)
      : isControl(kind)
        ? live.seat.whyNotDriving()
        : undefined;
  if (whyNot !== undefined) return refuse(state, kind, whyNot);
  if (kind !== 'drive') state.features.handle(kind, payload);
}

function toContext(state: AgentSessionState): FeatureContext {
  const { featurePlatform: platform } = state.options;
  const { session, operator } = state.grant;
  return {
    session,
    operator,
    get permissions() {
      return permissionsOf(state);
    },
    platform,
    get policy() {
      return state.options.policy();
    },
    send: (kind, payload) => send(state, kind, payload),
    sendEncoded: (kind, payload) => sendEncoded(state, kind, payload),
    buffered: () => state.connection.buffered(),
    drained: () => state.connection.drained(),
    ask: (...asked) => ask(state, ...asked),
    isConfirmed: state.grant.confirm,
    showNotice: (line) => state.options.notice.show(line, () => endByPerson(state)),
    get shield() {
      return state.live!.seat.shield;
    },
    refuse: (kind, message) => refuse(state, kind, message),
    endMalformed: (kind) => end(state, 'fault', `A frame of the kind ${kind} was malformed.`),
    end: (message, back) => end(state, 'device', message, back),
    log: state.log,
  };
}

/** The operator has proved its key: asks everybody who must agree, then starts the features. */
async function admit(state: AgentSessionState, code: string, token: string | undefined): Promise<void> {
  const { about, ended, cleanups, log } = state;
  const { platform, participants, notice } = state.options;
  const approved = await obtainApproval(state, code, token);
  if (approved && 'refused' in approved) return end(state, 'device', approved.refused);
  state.approved = approved;
  const admission = await admitOperator({
    grant: approved ? { ...state.grant, permissions: approved.permissions } : state.grant,
    approved,
    about,
    platform,
    participants,
    notice,
    code,
    log,
    signal: ended.signal,
    handledKinds: state.features.handledKinds,
    tell: (message) => state.connection.sendState(message),
    onStop: () => endByPerson(state),
    onLost: (message) => end(state, 'device', message),
  });
  if ('refused' in admission) return end(state, 'device', admission.refused);
  cleanups.push(admission.leave);
  if (ended.signal.aborted) cleanups.forEach((leave) => leave());
  else goLive(state, admission);
}

function goLive(state: AgentSessionState, admitted: AdmittedOperator): void {
  const { participants, clock, policy } = state.options;
  const { permissions } = admitted.capabilities;
  const seat = participants.join({
    name: state.grant.operator.name,
    mayDrive: permissions.has('agent_control'),
    tell: (people) => send(state, 'people', people),
    releaseInput: state.features.releaseInput,
  });
  const idleTimer = startIdleTimer(
    clock,
    () => idleMinutesOf(policy()) * 60_000,
    () => end(state, 'device', 'The session was closed because nobody used it.'),
  );
  state.cleanups.push(seat.leave, idleTimer.stop);
  state.live = { ...admitted, seat, idleTimer };
  state.recording.start();
  state.features.start((kind) => maySend('operator', frameKinds[kind].byte, permissions));
  // The policy may have changed while the person was asked.
  applyPolicy(state);
}

async function finish(state: AgentSessionState, message: string): Promise<void> {
  state.ended.abort();
  state.cleanups.forEach((leave) => leave());
  await state.features.stop();
  await state.recording.stop();
  const refused = state.refusals > 0 ? ` (${state.refusals} frames were refused)` : '';
  state.log(`ended: ${message}${refused}`);
  state.closed.resolve();
}
