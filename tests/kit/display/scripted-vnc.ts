/** A VNC server that sends whatever a test wants and records what it receives. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { DisplayBox } from './display.ts';

export interface ScriptedVnc extends AsyncDisposable {
  place: { host: string; port: number };
  /** All bytes received from the client so far. */
  received(): Buffer;
  send(bytes: Uint8Array): void;
  hangUp(): void;
  /** How many clients have connected so far. */
  connections(): number;
}

/** What the server sends before the first picture, in the newest protocol version and without a password. */
export const greeting = Buffer.from('RFB 003.008\n');
export const noSecurity = Buffer.of(1, 1, 0, 0, 0, 0);
export const serverInit = (width: number, height: number, nameLength = 4): Buffer => {
  const bytes = Buffer.alloc(24 + 4);
  bytes.writeUInt16BE(width, 0);
  bytes.writeUInt16BE(height, 2);
  bytes.writeUInt32BE(nameLength, 20);
  bytes.write('test', 24);
  return bytes;
};

export interface Rectangle {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  encoding: number;
  data?: Uint8Array;
}

export const updateOf = (...rectangles: Rectangle[]): Buffer =>
  Buffer.concat([
    Buffer.of(0, 0, rectangles.length >> 8, rectangles.length & 255),
    ...rectangles.map(({ x = 0, y = 0, width = 0, height = 0, encoding, data = Buffer.alloc(0) }) => {
      const header = Buffer.alloc(12);
      [x, y, width, height].forEach((value, index) => header.writeUInt16BE(value, 2 * index));
      header.writeInt32BE(encoding, 8);
      return Buffer.concat([header, data]);
    }),
  ]);

/** A rectangle of one colour. */
export const solidRectangle = (box: DisplayBox, colour = 0): Rectangle => {
  const data = Buffer.alloc(box.width * box.height * 4);
  for (let at = 0; at < data.length; at += 4) data.writeUInt32LE(colour, at);
  return { ...box, encoding: 0, data };
};

/** Sends `first` to every client at once. */
export async function startScriptedVnc(...first: Uint8Array[]): Promise<ScriptedVnc> {
  const sockets = new Set<Socket>();
  let received: Buffer = Buffer.alloc(0);
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('data', (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
    first.forEach((bytes) => socket.write(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hangUp = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    place: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    received: () => received,
    send: (bytes) => sockets.forEach((socket) => socket.write(bytes)),
    hangUp,
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      hangUp();
      server.close();
      await once(server, 'close');
    },
  };
}
