/** One session with one operator: once it is live, its features handle what the grant allows, until either side ends it. */
import {
  frameKinds,
  maySend,
  type FrameKind,
  type FrameKindName,
} from '@drawbridge/contract/session/frame-kinds';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { Grant, RecordingTarget } from '@drawbridge/contract/session/signed';
import { startDeviceSession, type DeviceConnection, type SendableKind } from '@drawbridge/session/device';
import { nodeCrypto } from '@drawbridge/session/node/crypto';
import { openDirectPeer } from '@drawbridge/session/node/direct-peer';
import { encodePayload, type Payload } from '@drawbridge/session/payloads';
import { admitOperator, type AdmittedOperator } from './admit-operator.ts';
import type { AgentSessionOptions } from './agent-session-options.ts';
import { askPerson, consentSeconds } from './consent.ts';
import { createFeatureSet, type FeatureSet } from './feature-set.ts';
import type { FeatureContext } from './feature.ts';
import type { Seat } from './participants.ts';
import { plainText } from './plain-text.ts';
import { prepareAdmission, type Preparation } from './prepare-admission.ts';
import { createManualRecording, type ManualRecording } from './recording/manual-recording.ts';
import { createSessionRecording, type SessionRecording } from './recording/session-recording.ts';

export interface AgentSession {
  number: number;
  end(by: SessionMessage<'end'>['by'], message: string, back?: boolean): void;
  /** Starts or stops a recording that the operator asked for; throws the reason for a refusal. */
  record(target: RecordingTarget | undefined): void;
  /** Resolves when everything the session opened is closed. */
  closed: Promise<void>;
}

interface LiveSession extends Pick<AdmittedOperator, 'capabilities' | 'announceRecording'> {
  seat: Seat;
}

interface State {
  readonly options: AgentSessionOptions;
  readonly grant: Grant;
  readonly ended: AbortController;
  readonly closed: PromiseWithResolvers<void>;
  readonly cleanups: (() => void)[];
  readonly about: Preparation['about'];
  live: LiveSession | undefined;
  refusals: number;
  connection: DeviceConnection;
  features: FeatureSet;
  recording: SessionRecording;
  manualRecording: ManualRecording;
  log(line: string): void;
}

const noPermissions: ReadonlySet<string> = new Set();
const maxMessage = 512;

export function startAgentSession(options: AgentSessionOptions): AgentSession {
  const { operator } = options.grant;
  const grant = { ...options.grant, operator: { ...operator, name: plainText(operator.name) } };
  const { about, release } = prepareAdmission(options.platform);
  const state = {
    options,
    grant,
    ended: new AbortController(),
    closed: Promise.withResolvers<void>(),
    cleanups: [release],
    about,
    live: undefined,
    refusals: 0,
    log: (line: string) => options.log(`session ${grant.session}: ${line}`),
  } as unknown as State; // the remaining fields need the state itself and follow here
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
    record: (target) => state.manualRecording.switchTo(target),
    closed: state.closed.promise,
  };
}

const createManualRecordingOf = (state: State): ManualRecording =>
  createManualRecording({
    grant: state.grant,
    recording: state.recording,
    isLive: () => state.live !== undefined && !state.ended.signal.aborted,
    ask: (question) => ask(state, question, consentSeconds),
    announce: async (isRecorded) => state.live?.announceRecording(isRecorded),
    refuse: (message) => refuse(state, 'state', message),
  });

const ask = ({ options: { platform, participants }, ended }: State, question: string, seconds: number) =>
  askPerson({ platform, participants, signal: ended.signal }, question, seconds);

const permissionsOf = ({ live }: State): ReadonlySet<string> =>
  live?.capabilities.permissions ?? noPermissions;

function connect(state: State): DeviceConnection {
  const { grant, signedGrant, deviceKey, openRelay, clock } = state.options;
  return startDeviceSession(
    {
      grant,
      signedGrant,
      deviceKey,
      openRelay,
      openPeer: openDirectPeer,
      crypto: nodeCrypto,
      clock,
      permissions: () => permissionsOf(state),
      log: state.log,
    },
    {
      onOpen: (code) =>
        void admit(state, code).catch((error: unknown) =>
          end(state, 'fault', `The device reported an error: ${String(error)}`),
        ),
      onFrame: (kind, payload) => dispatchFrame(state, kind, payload),
      onForbidden: (kind) => refuseForbidden(state, kind),
      onEnd: ({ message }) => void finish(state, message),
    },
  );
}

function end(state: State, by: SessionMessage<'end'>['by'], message: string, back = false): void {
  state.connection.end({ by, message, back });
}

function send<Kind extends SendableKind>(state: State, kind: Kind, payload: Payload<Kind>): void {
  if (maySend('device', frameKinds[kind].byte, permissionsOf(state)))
    sendEncoded(state, kind, encodePayload(kind, payload));
}

/** What nobody is shown any more is not recorded either. */
function sendEncoded(state: State, kind: SendableKind, payload: Uint8Array): void {
  if (!maySend('device', frameKinds[kind].byte, permissionsOf(state))) return;
  state.connection.sendEncoded(kind, payload);
  if (!state.ended.signal.aborted) state.recording.record(kind, payload);
}

function refuse(state: State, kind: FrameKindName, message: string): void {
  state.refusals += 1;
  send(state, 'refused', { kind, message: message.slice(0, maxMessage) });
}

function refuseForbidden(state: State, kind: FrameKindName): void {
  const { permission }: FrameKind = frameKinds[kind];
  const reason = state.live?.capabilities.unable[permission ?? ''];
  refuse(state, kind, reason ?? 'This session does not have permission to do that.');
}

/** Frames that move something on the device, which one operator does at a time. */
const isControl = (kind: FrameKindName): boolean =>
  (frameKinds[kind] as FrameKind).permission === 'agent_control';

function dispatchFrame<Kind extends FrameKindName>(state: State, kind: Kind, payload: Payload<Kind>): void {
  const { live } = state;
  if (!live) return refuse(state, kind, 'The session has not started yet.');
  const whyNot =
    kind === 'drive'
      ? live.seat.drive((payload as Payload<'drive'>).to)
      : isControl(kind)
        ? live.seat.whyNotDriving()
        : undefined;
  if (whyNot !== undefined) return refuse(state, kind, whyNot);
  if (kind !== 'drive') state.features.handle(kind, payload);
}

function toContext(state: State): FeatureContext {
  const { platform } = state.options;
  const { session, operator } = state.grant;
  const shield = () => state.live!.seat.shield;
  return {
    session,
    operator,
    get permissions() {
      return permissionsOf(state);
    },
    platform,
    send: (kind, payload) => send(state, kind, payload),
    sendEncoded: (kind, payload) => sendEncoded(state, kind, payload),
    buffered: () => state.connection.buffered(),
    drained: () => state.connection.drained(),
    ask: (question, seconds) => ask(state, question, seconds),
    shield: {
      whyNot: () => shield().whyNot(),
      take: () => shield().take(),
      announce: (isUp) => shield().announce(isUp),
    },
    refuse: (kind, message) => refuse(state, kind, message),
    endMalformed: (kind) => end(state, 'fault', `A frame of the kind ${kind} was malformed.`),
    end: (message, back) => end(state, 'device', message, back),
    log: state.log,
  };
}

/** The operator has proved its key: asks the person at the device where the grant says so, then starts the features. */
async function admit(state: State, code: string): Promise<void> {
  const { grant, about, ended, cleanups, log } = state;
  const { platform, participants, notice } = state.options;
  const admission = await admitOperator({
    grant,
    about,
    platform,
    participants,
    notice,
    code,
    log,
    signal: ended.signal,
    handledKinds: state.features.handledKinds,
    tell: (message) => state.connection.sendState(message),
    onStop: () => end(state, 'device', 'The person at the device ended the session.'),
    onLost: (message) => end(state, 'device', message),
  });
  if ('refused' in admission) return end(state, 'device', admission.refused);
  cleanups.push(admission.leave);
  if (ended.signal.aborted) cleanups.forEach((leave) => leave());
  else goLive(state, admission);
}

function goLive(state: State, { capabilities, announceRecording }: AdmittedOperator): void {
  const seat = state.options.participants.join({
    name: state.grant.operator.name,
    mayDrive: capabilities.permissions.has('agent_control'),
    tell: (people) => send(state, 'people', people),
    releaseInput: state.features.releaseInput,
  });
  state.cleanups.push(seat.leave);
  state.live = { capabilities, announceRecording, seat };
  state.recording.start();
  state.features.start((kind) => maySend('operator', frameKinds[kind].byte, capabilities.permissions));
}

async function finish(state: State, message: string): Promise<void> {
  state.ended.abort();
  state.cleanups.forEach((leave) => leave());
  await state.features.stop();
  await state.recording.stop();
  const refused = state.refusals > 0 ? ` (${state.refusals} frames were refused)` : '';
  state.log(`ended: ${message}${refused}`);
  state.closed.resolve();
}
