/** The helper's side of `remote-objects.ts`: calls the methods of its objects, and sends their answers and events. */
import type { Message, MessageChannel } from './message-channel.ts';

/** The methods of an object. The agent is trusted, so its arguments are not checked. */
export type Methods = Record<string, (...args: never[]) => unknown>;

export interface ServedObjects {
  objects: Map<number, Methods>;
  emit(object: number, event: string, value?: unknown): void;
}

interface ServedCall {
  /** Absent if no answer is wanted. */
  id?: number;
  object: number;
  method: string;
  args: unknown[];
  bytes?: Uint8Array;
}

/** Calls take effect in the order in which they arrive. */
export function serveObjects(channel: MessageChannel): ServedObjects {
  const objects = new Map<number, Methods>();
  channel.onMessage((message) => void answer(channel, objects, message as unknown as ServedCall));
  return {
    objects,
    emit: (object, event, value) => channel.send({ object, event, ...toMessage(value) }),
  };
}

async function answer(
  channel: MessageChannel,
  objects: ReadonlyMap<number, Methods>,
  { id, object, method, args, bytes }: ServedCall,
): Promise<void> {
  try {
    const all = bytes ? [...args, bytes] : args;
    const value = await objects.get(object)?.[method]?.(...(all as never[]));
    if (id !== undefined) channel.send({ id, ...toMessage(value) });
  } catch (error) {
    if (id !== undefined) channel.send({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

const toMessage = (value: unknown): Message => (value instanceof Uint8Array ? { bytes: value } : { value });
