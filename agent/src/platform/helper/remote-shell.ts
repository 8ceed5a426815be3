/** A shell in the process of the signed-in person. */
import type { Shell, ShellSize } from '../shell.ts';
import { maxMessageBytes } from './message-channel.ts';
import type { AcquirePerson } from './person-connection.ts';
import { bytesIn, textIn } from './plain-values.ts';
import { mainObject, type RemoteObjects } from './remote-objects.ts';

const openTimeoutMs = 30_000;
const maxEndLength = 512;

export async function openRemoteShell(acquire: AcquirePerson, size: ShellSize): Promise<Shell> {
  const { value: connection, release } = await acquire();
  const { objects } = connection;
  const object = objects.nextObject();
  const dataListeners = new Set<(data: Uint8Array) => void>();
  const endListeners = new Set<(message: string) => void>();
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
    const data = bytesIn(value, maxMessageBytes);
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
    ...createCalls(objects, object),
    onData(listener) {
      dataListeners.add(listener);
      // The process sends nothing before, because nobody would receive it.
      if (dataListeners.size === 1) objects.tell(object, 'start');
    },
    onEnd: (listener) => void (ended === undefined ? endListeners.add(listener) : listener(ended)),
  };
}

function createCalls(objects: RemoteObjects, object: number): Omit<Shell, 'onData' | 'onEnd'> {
  const tell = (method: string, ...args: unknown[]): void => objects.tell(object, method, args);
  return {
    write: (data) => objects.tell(object, 'write', [], data),
    resize: (columns, rows) => tell('resize', columns, rows),
    pause: () => tell('pause'),
    resume: () => tell('resume'),
    close: () => tell('close'),
  };
}
