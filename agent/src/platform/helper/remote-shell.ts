/** A shell in the process of the signed-in person. */
import type { Shell, ShellSize } from '../shell.ts';
import { maxChannelMessageBytes } from './message-channel.ts';
import type { AcquirePerson } from './person-connection.ts';
import { bytesIn, textIn } from './plain-values.ts';
import { mainObject, type RemoteObjects } from './remote-objects.ts';

const openTimeoutMs = 30_000;
const maxEndLength = 512;
/** What a paused shell may still send: it was on the way. A process that sends more is ended, because nobody reads it. */
const maxLateBytes = 2 * maxChannelMessageBytes;

export async function openRemoteShell(acquire: AcquirePerson, size: ShellSize): Promise<Shell> {
  const { value: connection, release } = await acquire();
  const { objects } = connection;
  const object = objects.nextObject();
  const dataListeners = new Set<(data: Uint8Array) => void>();
  const endListeners = new Set<(message: string) => void>();
  const calls = createCalls(objects, object);
  let ended: string | undefined;
  const end = (message: string): void => {
    if (ended !== undefined) return;
    ended = message;
    unsubscribe();
    release();
    for (const listener of endListeners) listener(message);
  };
  const unsubscribe = objects.onEvent(object, (event, value) => {
    if (event === 'end') return end(textIn(value, maxEndLength));
    const data = bytesIn(value, maxChannelMessageBytes);
    if (calls.countLate(data.length) > maxLateBytes) return connection.close();
    for (const listener of dataListeners) listener(data);
  });
  connection.onClose(() => end(connection.whyClosed()));
  try {
    await objects.call(mainObject, 'shell', [object, size], { timeoutMs: openTimeoutMs });
  } catch (error) {
    end('');
    throw error;
  }
  return {
    ...calls.methods,
    onData(listener) {
      dataListeners.add(listener);
      // The process sends nothing before, because nobody would receive it.
      if (dataListeners.size === 1) objects.tell(object, 'start');
    },
    onEnd: (listener) => void (ended === undefined ? endListeners.add(listener) : listener(ended)),
  };
}

interface ShellCalls {
  methods: Omit<Shell, 'onData' | 'onEnd'>;
  /** Counts the bytes that arrive while the shell is paused. */
  countLate(bytes: number): number;
}

function createCalls(objects: RemoteObjects, object: number): ShellCalls {
  const tell = (method: string, ...args: unknown[]): void => objects.tell(object, method, args);
  let [isPaused, late] = [false, 0];
  const setPaused = (paused: boolean): void => {
    if (paused === isPaused) return;
    [isPaused, late] = [paused, 0];
    tell(paused ? 'pause' : 'resume');
  };
  return {
    methods: {
      write: (data) => objects.tell(object, 'write', [], data),
      resize: (columns, rows) => tell('resize', columns, rows),
      pause: () => setPaused(true),
      resume: () => setPaused(false),
      close: () => tell('close'),
    },
    countLate: (bytes) => (isPaused ? (late += bytes) : 0),
  };
}
