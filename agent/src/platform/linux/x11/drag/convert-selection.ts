/** Asks the owner of a selection for its content in one of its types. */
import type x11 from 'x11';
import type { X11Connection } from '../connection.ts';

interface Conversion {
  /** Receives the answer in this property. */
  window: number;
  property: number;
  selection: number;
  target: number;
  /** Of the event that caused the request; 0 if there is none. */
  time: number;
}

/** A program that does not answer in this time does not get what was dragged out. */
const answerTimeoutMs = 1_000;
const maxBytes = 256 * 1_024;

/** Undefined if the owner does not have the type, does not answer, or has more than is read. */
export async function convertSelection(
  { client, call, onEvent }: X11Connection,
  { window, property, selection, target, time }: Conversion,
): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stopListening = onEvent((event) => {
    if (event.name === 'SelectionNotify' && event['requestor'] === window && event['target'] === target)
      resolve(event['property'] === property);
  });
  const timer = setTimeout(resolve, answerTimeoutMs, false);
  client.ConvertSelection(window, selection, target, property, time);
  const isAnswered = await promise.finally(() => {
    stopListening();
    clearTimeout(timer);
  });
  if (!isAnswered) return undefined;
  const { type, bytesAfter, data } = await call<{ type: number; bytesAfter: number; data: Buffer }>(
    (done: x11.Done<{ type: number; bytesAfter: number; data: Buffer }>) =>
      client.GetProperty(0, window, property, 0, 0, maxBytes / 4, done),
  );
  client.DeleteProperty(window, property);
  return bytesAfter > 0 || type === client.atoms['INCR'] ? undefined : Buffer.from(data);
}
