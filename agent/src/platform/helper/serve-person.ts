/** The helper's side of files and shells: opens them with the rights of the signed-in person for the agent that has started it. */
import type { Files, NewFile, PartialFile, ReadableFile } from '../files.ts';
import type { Shell, ShellSize } from '../shell.ts';
import type { MessageChannel } from './message-channel.ts';
import { mainObject } from './remote-objects.ts';
import { serveObjects, type Methods, type ServedObjects } from './serve-objects.ts';

export interface PersonOpener {
  openFiles(env: NodeJS.ProcessEnv): Promise<Files>;
  openShell(size: ShellSize, env: NodeJS.ProcessEnv): Promise<Shell>;
}

/** The settings of the agent that the helper needs; everything else of its environment is the person's. */
export const passedSettings = ['DRAWBRIDGE_AGENT_FILES', 'DRAWBRIDGE_AGENT_SHELL'] as const;

/** Resolves when the channel was closed and everything that was open has ended. */
export async function servePerson(
  channel: MessageChannel,
  { openFiles, openShell }: PersonOpener,
): Promise<void> {
  const served = serveObjects(channel);
  const { objects } = served;
  let env: NodeJS.ProcessEnv = {};
  let opened: Promise<Files> | undefined;
  const files = (): Promise<Files> => (opened ??= openFiles(env));
  objects.set(mainObject, {
    configure(settings: Record<string, string>) {
      env = settings;
    },
    list: async (path: string, after?: string) => (await files()).list(path, after),
    folder: async (path: string) => (await files()).folder(path),
    rename: async (path: string, to: string) => (await files()).rename(path, to),
    remove: async (path: string) => (await files()).remove(path),
    open: async (object: number, path: string) =>
      serveReadableFile(served, object, await (await files()).open(path)),
    create: async (object: number, file: NewFile) =>
      servePartialFile(served, object, await (await files()).create(file)),
    shell: async (object: number, size: ShellSize) => serveShell(served, object, await openShell(size, env)),
  });
  const closed = Promise.withResolvers<void>();
  channel.onClose(closed.resolve);
  await closed.promise;
  await Promise.allSettled([...objects.values()].map(async (methods) => methods['close']?.()));
}

/** Runs the last call of an object. */
const endWith = <Result>({ objects }: ServedObjects, object: number, work: () => Result): Result => {
  objects.delete(object);
  return work();
};

function serveReadableFile(served: ServedObjects, object: number, file: ReadableFile): unknown {
  served.objects.set(object, {
    read: (at: number, length: number) => file.read(at, length),
    close: () => endWith(served, object, () => file.close()),
  });
  return { size: file.size, time: file.time };
}

function servePartialFile(served: ServedObjects, object: number, file: PartialFile): unknown {
  served.objects.set(object, {
    write: (at: number, data: Uint8Array = new Uint8Array()) => file.write(at, data),
    finish: (sha256: string) => endWith(served, object, () => file.finish(sha256)),
    discard: () => endWith(served, object, () => file.discard()),
    close: () => endWith(served, object, () => file.close()),
  });
  return { from: file.from };
}

function serveShell(served: ServedObjects, object: number, shell: Shell): void {
  const { objects, emit } = served;
  shell.onEnd((message) => endWith(served, object, () => emit(object, 'end', message)));
  const methods: Methods = {
    start: () => shell.onData((data) => emit(object, 'data', data)),
    write: (data: Uint8Array = new Uint8Array()) => shell.write(data),
    resize: shell.resize,
    pause: shell.pause,
    resume: shell.resume,
    close: shell.close,
  };
  objects.set(object, methods);
}
