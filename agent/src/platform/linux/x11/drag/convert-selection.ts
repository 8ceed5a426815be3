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

/** A program that is busy for longer is asked again, if what it drags is still wanted. */
const answerTimeoutMs = 1_000;
const maxBytes = 256 * 1_024;

/** `refused`: the owner does not have the type, or has more than is read. */
export type Converted = Buffer | 'refused' | 'no answer';

export async function convertSelection(
  { client, call, onEvent }: X11Connection,
  { window, property, selection, target, time }: Conversion,
): Promise<Converted> {
  const { promise, resolve } = Promise.withResolvers<'converted' | 'refused' | 'no answer'>();
  const stopListening = onEvent((event) => {
    if (event.name === 'SelectionNotify' && event['requestor'] === window && event['target'] === target)
      resolve(event['property'] === property ? 'converted' : 'refused');
  });
  const timer = setTimeout(resolve, answerTimeoutMs, 'no answer');
  client.ConvertSelection(window, selection, target, property, time);
  const answer = await promise.finally(() => {
    stopListening();
    clearTimeout(timer);
  });
  if (answer !== 'converted') return answer;
  const { type, bytesAfter, data } = await call<{ type: number; bytesAfter: number; data: Buffer }>(
    (done: x11.Done<{ type: number; bytesAfter: number; data: Buffer }>) =>
      client.GetProperty(0, window, property, 0, 0, maxBytes / 4, done),
  );
  client.DeleteProperty(window, property);
  return bytesAfter > 0 || type === client.atoms['INCR'] ? 'refused' : Buffer.from(data);
}
