/** The clipboard's part of the talk with a VNC server: in any script where the server has learnt to, else in Latin letters. */
import { constants, deflateSync, inflateSync } from 'node:zlib';
import { NotPossible } from '../../platform.ts';
import { protocolViolation } from './protocol-violation.ts';
import { textMessage } from './messages.ts';

export interface CutText {
  /** Hears what a server says that has learnt to; the first time it says so itself. */
  handle(bytes: Buffer): void;
  /** Throws a sentence where the server has no letters for it. */
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
/** Bytes of the longest text that is passed on; what is longer stays where it is. */
export const longestText = 1_024 * 1_024;
/** The size before a text, and the NUL after it. */
const overheadBytes = 5;
const beyondLatin = /[^\0-\xff]/;

export function createCutText(send: (message: Uint8Array) => void, onText: (text: string) => void): CutText {
  /** What the server does; undefined while it has not said that it does anything. */
  let serverActions: number | undefined;
  let held: string | undefined;
  const say = (flags: number, data: Uint8Array = Buffer.alloc(0)): void =>
    send(textMessage(Buffer.concat([numberBytes(flags), data]), true));
  const provide = (): void => {
    if (held !== undefined) say(actions.provide | text, packed(held));
  };

  return {
    handle(bytes) {
      if (bytes.length < 4) protocolViolation('an incomplete clipboard message');
      const flags = bytes.readUInt32BE();
      if (flags & actions.caps) {
        serverActions = flags;
        say(
          actions.caps | actions.request | actions.peek | actions.notify | actions.provide | text,
          numberBytes(longestText),
        );
      } else if (flags & actions.request) provide();
      else if (flags & actions.peek) say(actions.notify | (held === undefined ? 0 : text));
      else if (flags & actions.notify && flags & text) say(actions.request | text);
      else if (flags & actions.provide && flags & text) onText(unpacked(bytes.subarray(4)));
    },
    write(given) {
      if (Buffer.byteLength(given) > longestText) return;
      if (serverActions === undefined && beyondLatin.test(given))
        throw new NotPossible(
          'The clipboard of this device is reached through VNC, which supports only Latin characters there. This text was not sent.',
        );
      held = given;
      if (serverActions === undefined) send(textMessage(Buffer.from(given, 'latin1')));
      else if (serverActions & actions.notify) say(actions.notify | text);
      else provide();
    },
  };
}

const numberBytes = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

/** Lines end as on Windows, and the text with a NUL. */
function packed(given: string): Buffer {
  const bytes = Buffer.from(`${given.replaceAll('\n', '\r\n')}\0`);
  return deflateSync(Buffer.concat([numberBytes(bytes.length), bytes]));
}

function unpacked(bytes: Buffer): string {
  const whole = inflated(bytes);
  const length = whole.length < 4 ? 0 : whole.readUInt32BE();
  if (length > whole.length - 4) protocolViolation('clipboard data that is shorter than announced');
  return whole
    .toString('utf8', 4, 4 + length)
    .replace(/\0.*$/s, '')
    .replaceAll('\r\n', '\n');
}

function inflated(bytes: Buffer): Buffer {
  try {
    // Servers leave what they packed without an end.
    return inflateSync(bytes, {
      maxOutputLength: 2 * longestText + overheadBytes,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
  } catch {
    return protocolViolation('clipboard data that cannot be decompressed or is too long');
  }
}
