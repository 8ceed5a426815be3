/** Streams of KWin: the picture of one monitor each, which KWin sends through PipeWire. */
import { NotPossible } from '../../../platform.ts';
import { newObject, type WaylandConnection } from '../wire/connection.ts';
import { screencast } from './protocol.ts';

export interface MonitorStream {
  /** The number of the stream's source in PipeWire. */
  node: number;
  close(): void;
}

const answerTimeoutMs = 10_000;
const silent = 'KWin does not answer to the request for its picture.';
const ended = 'The desktop of the device no longer sends its picture.';

/** KWin's reason is in the language of the device. */
const refused = (reason: string): string =>
  `The desktop of the device cannot share its screen. KWin says: “${reason}” It shares its screen only if it draws with OpenGL: check the driver of the graphics card there, and let the person sign in again; or let them sign in to an X11 desktop.`;

/** `manager`: the object for screencasts. `onEnd` is called with a sentence if KWin ends the stream later. */
export async function openMonitorStream(
  connection: WaylandConnection,
  manager: number,
  output: number,
  onEnd: (why: string) => void,
): Promise<MonitorStream> {
  const created = Promise.withResolvers<number>();
  const end = (why: string): void => {
    created.reject(new NotPossible(why));
    onEnd(why);
  };
  const values = [newObject, output, screencast.pointerBeside];
  const stream = connection.create(manager, screencast.streamOutput, values, (opcode, event) => {
    if (opcode === screencast.created) created.resolve(event.uint());
    else if (opcode === screencast.failed) end(refused(event.text()));
    else if (opcode === screencast.closed) end(ended);
  });
  const close = (): void => connection.destroy(stream, screencast.close);
  const timer = setTimeout(() => created.reject(new NotPossible(silent)), answerTimeoutMs);
  try {
    return { node: await created.promise, close };
  } catch (error) {
    close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Why KWin does not share this monitor; undefined if it does. */
export async function whyNoStream(
  connection: WaylandConnection,
  manager: number,
  output: number,
): Promise<string | undefined> {
  try {
    (await openMonitorStream(connection, manager, output, () => {})).close();
    return undefined;
  } catch (error) {
    if (error instanceof NotPossible) return error.message;
    throw error;
  }
}
