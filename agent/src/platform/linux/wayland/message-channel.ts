/** Messages of bounded size over a socket: four bytes with the length, then JSON. */
import type { Socket } from 'node:net';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';

export interface MessageChannel {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, also after `close`. */
  onClose(listener: () => void): void;
  close(): void;
}

/** A text of the clipboard may need two bytes of JSON for one of its own. */
const maxMessageBytes = 2 * maxFrameBytes + 1_024;
const headBytes = 4;
/** The channel is closed if the other side has not read more bytes than this. */
const maxUnread = 4 * maxMessageBytes;

/** Closes if the other side sends a message that is too long or is not JSON. */
export function createMessageChannel(socket: Socket): MessageChannel {
  let [rest, isOpen]: [Buffer, boolean] = [Buffer.alloc(0), true];
  let onMessage: ((message: unknown) => void) | undefined;
  const closeListeners: (() => void)[] = [];
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    socket.destroy();
    for (const listener of closeListeners) listener();
  };
  const receive = (part: Buffer): void => {
    try {
      const { messages, rest: left } = splitMessages(Buffer.concat([rest, part]));
      rest = left;
      for (const message of messages) if (isOpen) onMessage?.(JSON.parse(message));
    } catch {
      close();
    }
  };
  socket.on('data', receive).on('error', close).on('close', close);
  return {
    send(message) {
      if (!isOpen) return;
      const text = Buffer.from(JSON.stringify(message));
      const head = Buffer.alloc(headBytes);
      head.writeUInt32LE(text.length);
      socket.write(Buffer.concat([head, text]));
      if (socket.writableLength > maxUnread) close();
    },
    onMessage: (listener) => void (onMessage = listener),
    onClose: (listener) => void closeListeners.push(listener),
    close,
  };
}

/** Throws RangeError if a message is too long. */
function splitMessages(bytes: Buffer): { messages: string[]; rest: Buffer } {
  const messages: string[] = [];
  let at = 0;
  while (bytes.length - at >= headBytes) {
    const size = bytes.readUInt32LE(at);
    if (size > maxMessageBytes) throw new RangeError('A message is too long.');
    if (bytes.length - at < headBytes + size) break;
    messages.push(bytes.toString('utf8', at + headBytes, at + headBytes + size));
    at += headBytes + size;
  }
  return { messages, rest: bytes.subarray(at) };
}
