/** Records every message that arrives at a socket of this process, as anyone who runs the relay could. */
import { WebSocket } from 'ws';

export interface SocketTap extends Disposable {
  /** The messages so far. */
  messages(): Buffer[];
}

export function tapSockets(): SocketTap {
  const { emit } = WebSocket.prototype;
  const messages: Buffer[] = [];
  WebSocket.prototype.emit = function (this: WebSocket, name: string | symbol, ...rest: unknown[]) {
    // Copied, because a socket may reuse the buffer for its next read.
    if (name === 'message' && rest[0] instanceof Buffer) messages.push(Buffer.from(rest[0]));
    return emit.call(this, name, ...rest);
  } as typeof emit;
  return {
    messages: () => messages,
    [Symbol.dispose]() {
      WebSocket.prototype.emit = emit;
    },
  };
}

/** The encodings of a text: plain, UTF-16, base64 at any offset, and hexadecimal of each. */
function encodingsOf(text: string): Buffer[] {
  const plain = Buffer.from(text);
  const inBase64 = [0, 1, 2].flatMap((shift) => {
    // Omits the characters that depend on the neighbouring bytes.
    const whole = Buffer.concat([Buffer.alloc(shift), plain]).toString('base64');
    const kept = whole.slice(shift === 0 ? 0 : 4, Math.floor((shift + plain.length) / 3) * 4);
    return [kept, kept.replaceAll('+', '-').replaceAll('/', '_')].map((each) => Buffer.from(each));
  });
  const wide = Buffer.from(text, 'utf16le');
  return [plain, wide, Buffer.from(wide).swap16(), Buffer.from(plain.toString('hex')), ...inBase64];
}

/**
 * The layouts of a piece of a row of pixels in memory: with and without an unused byte, red or blue first.
 */
export function pixelEncodings(pixels: Uint32Array): Buffer[] {
  const parts = Array.from(pixels, (pixel) => [pixel >> 16, (pixel >> 8) & 255, pixel & 255]);
  const orders = [parts, parts.map((part) => part.toReversed())];
  const unused = [[], [0], [255]];
  return orders.flatMap((order) =>
    unused.map((more) => Buffer.from(order.flatMap((part) => [...part, ...more]))),
  );
}

/** In how many messages it is found: bytes unchanged, a text in any encoding. */
export const countMatches = (messages: readonly Buffer[], what: string | Buffer): number =>
  (typeof what === 'string' ? encodingsOf(what) : [what]).reduce(
    (sum, spelling) => sum + messages.filter((message) => message.includes(spelling)).length,
    0,
  );
