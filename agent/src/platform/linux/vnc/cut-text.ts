/** The clipboard protocol of VNC: Unicode if the server supports the extended clipboard, otherwise Latin-1. */
import { constants, deflateSync, inflateSync } from 'node:zlib';
import { NotPossible } from '../../platform.ts';
import { protocolViolation } from './protocol-violation.ts';
import { textMessage } from './messages.ts';

export interface CutText {
  /** Handles a message of the extended clipboard; the first one announces the server's support. */
  handle(bytes: Buffer): void;
  /** Throws if the server does not support the characters of the text. */
  write(text: string): void;
}

const text = 1;
const actions = {
  caps: 1 << 24,
  request: 1 << 25,
  peek: 1 << 26,
  notify: 1 << 27,
  provide: 1 << 28,
} as const;
/** Longer texts, in bytes, are not transferred. */
export const longestText = 1_024 * 1_024;
/** The size before a text, and the NUL after it. */
const overheadBytes = 5;
const beyondLatin = /[^\0-\xff]/;

export function createCutText(send: (message: Uint8Array) => void, onText: (text: string) => void): CutText {
  /** The actions that the server supports; undefined before it has announced them. */
  let serverActions: number | undefined;
  let current: string | undefined;
  const sendAction = (flags: number, data: Uint8Array = Buffer.alloc(0)): void =>
    send(textMessage(Buffer.concat([numberBytes(flags), data]), true));
  const provide = (): void => {
    if (current !== undefined) sendAction(actions.provide | text, pack(current));
  };

  return {
    handle(bytes) {
      if (bytes.length < 4) protocolViolation('an incomplete clipboard message');
      const flags = bytes.readUInt32BE();
      if (flags & actions.caps) {
        serverActions = flags;
        sendAction(
          actions.caps | actions.request | actions.peek | actions.notify | actions.provide | text,
          numberBytes(longestText),
        );
      } else if (flags & actions.request) provide();
      else if (flags & actions.peek) sendAction(actions.notify | (current === undefined ? 0 : text));
      else if (flags & actions.notify && flags & text) sendAction(actions.request | text);
      else if (flags & actions.provide && flags & text) onText(unpackText(bytes.subarray(4)));
    },
    write(newText) {
      if (Buffer.byteLength(newText) > longestText) return;
      if (serverActions === undefined && beyondLatin.test(newText))
        throw new NotPossible(
          'The clipboard of this device is reached through VNC, which supports only Latin characters there. This text was not sent.',
        );
      current = newText;
      if (serverActions === undefined) send(textMessage(Buffer.from(newText, 'latin1')));
      else if (serverActions & actions.notify) sendAction(actions.notify | text);
      else provide();
    },
  };
}

const numberBytes = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

/** Lines end with CR LF, and the text with a NUL. */
function pack(content: string): Buffer {
  const bytes = Buffer.from(`${content.replaceAll('\n', '\r\n')}\0`);
  return deflateSync(Buffer.concat([numberBytes(bytes.length), bytes]));
}

function unpackText(bytes: Buffer): string {
  const whole = inflate(bytes);
  const length = whole.length < 4 ? 0 : whole.readUInt32BE();
  if (length > whole.length - 4) protocolViolation('clipboard data that is shorter than announced');
  return whole
    .toString('utf8', 4, 4 + length)
    .replace(/\0.*$/s, '')
    .replaceAll('\r\n', '\n');
}

function inflate(bytes: Buffer): Buffer {
  try {
    // Servers do not terminate the compressed stream.
    return inflateSync(bytes, {
      maxOutputLength: 2 * longestText + overheadBytes,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
  } catch {
    return protocolViolation('clipboard data that cannot be decompressed or is too long');
  }
}
