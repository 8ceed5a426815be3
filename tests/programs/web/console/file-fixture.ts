/** The console's side of file transfer with the device's own behind it, over a connection that can be cut. */
import { openFiles } from '@drawbridge/agent/platform/linux/files/session-files';
import type { Feature } from '@drawbridge/agent/session/feature';
import { filesFeature } from '@drawbridge/agent/session/features/files';
import { createRemoteFiles, type RemoteFiles } from '@drawbridge/web/console/panels/files/remote-files';
import { createFileExchanges } from '@drawbridge/web/console/panels/files/file-exchange';
import { createEmitter, type Emitter } from '@drawbridge/session/emitter';
import { encodePayload, decodePayload } from '@drawbridge/session/payloads';
import type { RemoteSession, ConnectionState } from '@drawbridge/session/operator/session';
import { createFakeFeatureContext } from '../../../kit/agent/fake-feature-context.ts';

export interface FileFixture {
  remote: RemoteFiles;
  /** Ends the session for good. */
  end(): void;
}

interface FixtureState extends ConnectionState {
  /** The only folder that the device shares. */
  root: string;
  emitter: Emitter;
  listeners: Set<() => void>;
  /** Frames of the device until the connection is cut. */
  framesLeft: number;
  /** The device's side; undefined before the first connection. */
  feature?: Feature;
}

/** A session with the device's real feature behind it; it is cut once after this many frames of the device. */
export function openFileFixture(root: string, cutAfter = Infinity): FileFixture {
  const state: FixtureState = {
    phase: 'live',
    message: '',
    root,
    emitter: createEmitter(),
    listeners: new Set(),
    framesLeft: cutAfter,
  };
  attach(state);
  const exchanges = createFileExchanges(createSession(state));
  return { remote: createRemoteFiles(exchanges), end: () => enterPhase(state, 'ended') };
}

/** Begins the device's side of a connection. */
function attach(state: FixtureState): void {
  const feature = filesFeature({
    ...createFakeFeatureContext({ files: () => openFiles({ DRAWBRIDGE_AGENT_FILES: state.root }) }),
    send(kind, payload) {
      if (state.phase !== 'live' || state.feature !== feature) return;
      if (--state.framesLeft === 0) return cut(state);
      const copy = decodePayload(kind, encodePayload(kind, payload))!;
      queueMicrotask(() => state.emitter.emit(kind, copy));
    },
  });
  state.feature = feature;
}

function enterPhase(state: FixtureState, phase: ConnectionState['phase']): void {
  state.phase = phase;
  state.listeners.forEach((each) => each());
}

/** As on a device, the next connection does not wait until the features of the last one have stopped. */
function cut(state: FixtureState): void {
  enterPhase(state, 'reconnecting');
  void state.feature!.stop();
  attach(state);
  setImmediate(() => enterPhase(state, 'live'));
}

const createSession = (state: FixtureState): RemoteSession =>
  ({
    state,
    on: state.emitter.on,
    onChange(listener: () => void) {
      state.listeners.add(listener);
      return () => state.listeners.delete(listener);
    },
    drained: async () => {},
    send(kind, payload) {
      if (state.phase !== 'live') return false;
      const handler = state.feature!.handlers[kind] as (payload: unknown) => void;
      handler(decodePayload(kind, encodePayload(kind, payload)));
      return true;
    },
  }) as Pick<RemoteSession, 'state' | 'on' | 'onChange' | 'drained' | 'send'> as RemoteSession;
