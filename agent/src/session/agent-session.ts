/** One session with one operator: once it is live its features handle what the grant allows, until either side ends it. */
import { frameKinds, maySend, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { encodeMessage, type SessionMessage } from '@drawbridge/contract/session/messages';
import type { Platform } from '../platform/platform.ts';
import type { SessionCapabilities } from './capabilities.ts';
import { askPerson } from './consent.ts';
import { openSealedChannel, type SealedChannelOptions } from './sealed-channel.ts';
import type { Participants, Seat } from './participants.ts';
import { dispatchFrame, type FrameDispatchDeps } from './dispatch-frame.ts';
import type { Notice } from './notice.ts';
import { admitOperator } from './admit-operator.ts';
import type { FeatureContext, FeatureFactory } from './feature.ts';
import { plainText } from './plain-text.ts';
import { createSessionRecording, type SessionRecordingOptions } from './recording/session-recording.ts';
import { createFeatureSet } from './feature-set.ts';

export interface AgentSessionOptions extends SealedChannelOptions {
  platform: Platform;
  features: readonly FeatureFactory[];
  participants: Participants;
  notice: Notice;
  /** How the server of the recordings is reached. */
  recordingConnection: SessionRecordingOptions['connection'];
  log(line: string): void;
}

export interface AgentSession {
  number: number;
  end(by: SessionMessage<'end'>['by'], message: string, back?: boolean): void;
  /** Resolves when everything the session opened is closed. */
  closed: Promise<void>;
}

interface LiveSession {
  capabilities: SessionCapabilities;
  seat: Seat;
}

const noPermissions: ReadonlySet<string> = new Set();

export function startAgentSession(options: AgentSessionOptions): AgentSession {
  const { platform, participants } = options;
  const { operator } = options.grant;
  const grant = { ...options.grant, operator: { ...operator, name: plainText(operator.name) } };
  const over = Promise.withResolvers<void>();
  const ended = new AbortController();
  const cleanups: (() => void)[] = [];
  let live: LiveSession | undefined;
  let refusals = 0;
  const log = (line: string): void => options.log(`session ${grant.session}: ${line}`);

  const send = (kind: FrameKindName, payload: Uint8Array): void => {
    if (!maySend('device', frameKinds[kind].byte, live?.capabilities.permissions ?? noPermissions)) return;
    channel.send(kind, payload);
    // What nobody is shown any more is not recorded either.
    if (!ended.signal.aborted) recording.record(kind, payload);
  };
  const end: AgentSession['end'] = (by, message, back = false) => channel.end({ by, message, back });
  const refuse = (kind: FrameKindName, message: string): void => {
    refusals += 1;
    send('refused', encodeMessage('refused', { kind, message: message.slice(0, 512) }));
  };
  const context: FeatureContext = {
    session: grant.session,
    operator: grant.operator,
    get permissions() {
      return live?.capabilities.permissions ?? noPermissions;
    },
    platform,
    send,
    buffered: () => channel.buffered(),
    drained: () => channel.drained(),
    ask: (question, seconds) =>
      askPerson({ platform, participants, signal: ended.signal }, question, seconds),
    shield: {
      whyNot: () => live!.seat.shield.whyNot(),
      take: () => live!.seat.shield.take(),
      announce: (isUp) => live!.seat.shield.announce(isUp),
    },
    refuse,
    end: (message, back) => end('device', message, back),
    log,
  };
  const fault = (message: string): void => end('fault', message);
  const features = createFeatureSet(context, options.features, fault);
  const recording = createSessionRecording({
    grant,
    connection: options.recordingConnection,
    refresh: () => features.handle('view', encodeMessage('view', { fresh: true })),
    onFailure: (message) => end('device', message),
  });

  const goLive = (capabilities: SessionCapabilities): void => {
    const seat = participants.join({
      name: grant.operator.name,
      mayDrive: capabilities.permissions.has('agent_control'),
      tell: (people) => send('people', encodeMessage('people', people)),
      releaseInput: features.releaseInput,
    });
    cleanups.push(seat.leave);
    live = { capabilities, seat };
    recording.start();
    features.start((kind) => maySend('operator', frameKinds[kind].byte, capabilities.permissions));
  };
  const open = async (code: string): Promise<void> => {
    const opened = await admitOperator({
      grant,
      platform,
      participants,
      notice: options.notice,
      code,
      log,
      signal: ended.signal,
      handledKinds: features.handledKinds,
      tell: (state) => send('state', encodeMessage('state', state)),
      onStop: () => end('device', 'The person at the device ended the session.'),
      onLost: (message) => end('device', message),
    });
    if ('refused' in opened) return end('device', opened.refused);
    cleanups.push(opened.leave);
    if (ended.signal.aborted) cleanups.forEach((leave) => leave());
    else goLive(opened.capabilities);
  };
  const finish = async (message: string): Promise<void> => {
    ended.abort();
    cleanups.forEach((leave) => leave());
    await features.stop();
    await recording.stop();
    log(`ended: ${message}${refusals > 0 ? ` (${refusals} frames were refused)` : ''}`);
    over.resolve();
  };
  const deps: FrameDispatchDeps = {
    live: () => live,
    send,
    refuse,
    fault,
    onEnd: ({ message, back }) => end('operator', message, back),
    toFeature: features.handle,
  };

  const channel = openSealedChannel(options, {
    onOpen: (code) =>
      void open(code).catch((error: unknown) => fault(`The device reported an error: ${String(error)}`)),
    onFrame: (frame) => dispatchFrame(deps, frame),
    onEnd: (message) => void finish(message),
  });
  return { number: grant.session, end, closed: over.promise };
}
