/**
 * WebSockets by hand: the upgrade request, and frames as they are on the wire, also those that no library
 * would send.
 */
import { randomBytes } from 'node:crypto';

export const opcodes = { continuation: 0x0, text: 0x1, binary: 0x2, ping: 0x9, pong: 0xa } as const;

export const upgradeRequest = (path: string, protocol: string, ...headers: string[]): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    `Sec-WebSocket-Protocol: ${protocol}`,
    ...headers,
    '\r\n',
  ].join('\r\n');

interface FrameOptions {
  fin?: boolean;
  /**
   * The length that the frame declares; more than that of the payload means that the rest is still to come.
   */
  declared?: number;
}

/** A frame of a client; its mask is zero, which leaves the payload unchanged. */
export function frame(
  kind: keyof typeof opcodes,
  payload: string | Buffer,
  { fin = true, declared }: FrameOptions = {},
): Buffer {
  const body = Buffer.from(payload as string);
  const length = declared ?? body.length;
  const head = Buffer.alloc(length < 126 ? 6 : 8);
  head[0] = (fin ? 0x80 : 0) | opcodes[kind];
  head[1] = 0x80 | (length < 126 ? length : 126);
  if (length >= 126) head.writeUInt16BE(length, 2);
  return Buffer.concat([head, body]);
}

/** The texts that a server sent after its answer to the upgrade request. */
export function textFramesIn(bytes: Buffer): string[] {
  const texts: string[] = [];
  let at = bytes.indexOf('\r\n\r\n') + 4;
  while (at + 4 <= bytes.length) {
    const short = bytes[at + 1]! & 0x7f;
    const [length, head] = short < 126 ? [short, 2] : [bytes.readUInt16BE(at + 2), 4];
    const end = at + head + length;
    if (end > bytes.length) break;
    if ((bytes[at]! & 0x0f) === opcodes.text) texts.push(bytes.toString('utf8', at + head, end));
    at = end;
  }
  return texts;
}
