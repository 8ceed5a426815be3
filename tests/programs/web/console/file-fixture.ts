/** The console's side of file transfer with the device's own behind it, over a connection that can be cut. */
import { openFiles } from '@drawbridge/agent/platform/linux/files/session-files';
import type { Feature } from '@drawbridge/agent/session/feature';
import { filesFeature } from '@drawbridge/agent/session/features/files';
import { createRemoteFiles, type RemoteFiles } from '@drawbridge/web/console/panels/files/remote-files';
import { createFileExchanges } from '@drawbridge/web/console/panels/files/file-exchange';
import { createEmitter } from '@drawbridge/session/emitter';
import { encodePayload, decodePayload } from '@drawbridge/session/payloads';
import type { RemoteSession, ConnectionState } from '@drawbridge/session/operator/session';
import { createFakeFeatureContext } from '../../../kit/agent/fake-feature-context.ts';

export interface FileFixture {
  remote: RemoteFiles;
  /** Ends the session for good. */
  end(): void;
}

/**
 * A session with the device's real feature behind it; it is cut once after this many frames of the device.
 */
export function openFileFixture(root: string, cutAfter = Infinity): FileFixture {
  const emitter = createEmitter();
  const changes = new Set<() => void>();
  const state: ConnectionState = { phase: 'live', message: '' };
  let left = cutAfter;
  let part = begin();

  function begin(): Feature {
    const featureContext = createFakeFeatureContext({
      files: () => openFiles({ DRAWBRIDGE_AGENT_FILES: root }),
    });
    const mine = filesFeature({
      ...featureContext,
      send(kind, payload) {
        if (state.phase !== 'live' || part !== mine) return;
        if (--left === 0) return void cut();
        const copy = decodePayload(kind, encodePayload(kind, payload))!;
        queueMicrotask(() => emitter.emit(kind, copy));
      },
    });
    return mine;
  }

  function become(phase: ConnectionState['phase']): void {
    state.phase = phase;
    changes.forEach((each) => each());
  }

  async function cut(): Promise<void> {
    become('reconnecting');
    await part.stop();
    part = begin();
    setImmediate(() => become('live'));
  }

  const session = {
    state,
    on: emitter.on,
    onChange(listener: () => void) {
      changes.add(listener);
      return () => changes.delete(listener);
    },
    drained: async () => {},
    send(kind, payload) {
      if (state.phase !== 'live') return false;
      (part.handlers[kind] as (payload: unknown) => void)(decodePayload(kind, encodePayload(kind, payload)));
      return true;
    },
  } as Pick<RemoteSession, 'state' | 'on' | 'onChange' | 'drained' | 'send'> as RemoteSession;
  return { remote: createRemoteFiles(createFileExchanges(session)), end: () => become('ended') };
}
