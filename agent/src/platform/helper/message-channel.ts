/** Messages of bounded size between the agent and its helper: two lengths of four bytes, JSON, then the bytes that belong to it. */
import type { Readable, Writable } from 'node:stream';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';

/** Sent as JSON, except for `bytes`, which are sent as they are. */
export interface Message {
  [name: string]: unknown;
  bytes?: Uint8Array | undefined;
}

export interface MessageChannel {
  send(message: Message): void;
  onMessage(listener: (message: Message) => void): void;
  /** Called once, also after `close`. */
  onClose(listener: () => void): void;
  close(): void;
}

/** A text of the clipboard may need two bytes of JSON for one of its own. */
export const maxChannelMessageBytes = 2 * maxFrameBytes + 1_024;
const headBytes = 8;
/** The channel is closed if the other side has not read more bytes than this. */
const maxUnread = 4 * maxChannelMessageBytes;

/** Closes if the other side sends a message that is too long or is not JSON. */
export function createMessageChannel(input: Readable, output: Writable): MessageChannel {
  let [rest, isOpen]: [Buffer, boolean] = [Buffer.alloc(0), true];
  let onMessage: ((message: Message) => void) | undefined;
  const closeListeners: (() => void)[] = [];
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    input.destroy();
    output.destroy();
    for (const listener of closeListeners) listener();
  };
  const receive = (part: Buffer): void => {
    try {
      const { messages, rest: left } = splitMessages(Buffer.concat([rest, part]));
      rest = left;
      for (const message of messages) if (isOpen) onMessage?.(message);
    } catch {
      close();
    }
  };
  input.on('data', receive);
  for (const stream of new Set([input, output]))
    stream.on('error', close).on('end', close).on('close', close);
  return {
    send(message) {
      if (!isOpen) return;
      output.write(encode(message));
      if (output.writableLength > maxUnread) close();
    },
    onMessage: (listener) => void (onMessage = listener),
    onClose: (listener) => void closeListeners.push(listener),
    close,
  };
}

function encode({ bytes = new Uint8Array(), ...message }: Message): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(text.length, 0);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, text, bytes]);
}

/** Throws RangeError if a message is too long, and SyntaxError if it is not a JSON object. */
function splitMessages(received: Buffer): { messages: Message[]; rest: Buffer } {
  const messages: Message[] = [];
  let at = 0;
  while (received.length - at >= headBytes) {
    const [textLength, bytesLength] = [received.readUInt32LE(at), received.readUInt32LE(at + 4)];
    if (textLength > maxChannelMessageBytes || bytesLength > maxChannelMessageBytes)
      throw new RangeError('A message is too long.');
    const from = at + headBytes;
    const end = from + textLength + bytesLength;
    if (received.length < end) break;
    messages.push(
      decode(received.subarray(from, from + textLength), received.subarray(end - bytesLength, end)),
    );
    at = end;
  }
  return { messages, rest: received.subarray(at) };
}

function decode(text: Buffer, bytes: Buffer): Message {
  const message: unknown = JSON.parse(text.toString());
  if (typeof message !== 'object' || message === null) throw new SyntaxError('A message is not an object.');
  return { ...message, bytes: bytes.length === 0 ? undefined : bytes };
}
