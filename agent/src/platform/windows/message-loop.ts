/**
 * Delivers the messages of the agent's windows. The loop runs in the main thread, a few times in each frame, so that no callback
 * from Windows into JavaScript is needed: what the agent's windows need is posted to them, and is seen before it is dispatched.
 */
import type { Handle, WindowsApi } from './api/windows-api.ts';

export interface WindowMessage {
  kind: number;
  /** Numbers whose meaning depends on the kind. */
  wide: bigint;
  long: bigint;
}

/** Returns true if the message needs no further work by Windows. */
export type MessageHandler = (message: WindowMessage) => boolean;

/** How often messages are looked for, and when there was none for so many turns. */
const [everyMs, idleMs, idleAfter] = [15, 60, 100];
/** Offsets in MSG. */
const record = { bytes: 48, window: 0, kind: 8, wide: 16, long: 24 } as const;
const remove = 1;
/** Limits the work of one turn, against programs that flood the windows with messages. */
const maxMessages = 200;

const handlers = new Map<bigint, MessageHandler>();
let timer: NodeJS.Timeout | undefined;
/** How many turns in a row found nothing. */
let emptyTurns = 0;

/** Calls the handler with the messages of a window that this thread has created; the returned function unsubscribes. */
export function handleMessages(api: WindowsApi, window: Handle, handler: MessageHandler): () => void {
  const key = BigInt(window);
  handlers.set(key, handler);
  emptyTurns = 0;
  if (!timer) schedule(api);
  return () => {
    handlers.delete(key);
    if (handlers.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

function schedule(api: WindowsApi): void {
  timer = setTimeout(
    () => {
      timer = undefined;
      emptyTurns = deliver(api) > 0 ? 0 : emptyTurns + 1;
      if (handlers.size > 0 && !timer) schedule(api);
    },
    emptyTurns < idleAfter ? everyMs : idleMs,
  );
}

/** Returns how many messages there were. */
function deliver(api: WindowsApi): number {
  const bytes = Buffer.alloc(record.bytes);
  let count = 0;
  for (; count < maxMessages && api.PeekMessageW(bytes, 0, 0, 0, remove); count += 1) {
    const message = {
      kind: bytes.readUInt32LE(record.kind),
      wide: bytes.readBigUInt64LE(record.wide),
      long: bytes.readBigInt64LE(record.long),
    };
    const isDone = handlers.get(bytes.readBigUInt64LE(record.window))?.(message) ?? false;
    if (isDone) continue;
    api.TranslateMessage(bytes);
    api.DispatchMessageW(bytes);
  }
  return count;
}
