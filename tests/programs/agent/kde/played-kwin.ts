/** The part of KWin that lists what it offers, played by the test in its own process. */
import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { encodeRequest, splitEvents } from '@drawbridge/agent/platform/linux/wayland/wire/wire-format';

/** What KWin offers to every program, as far as the agent needs it. */
export const offeredToAll: readonly string[] = [
  'org_kde_plasma_shell',
  'wl_shm',
  'wl_seat',
  'zxdg_output_manager_v1',
  'zwlr_layer_shell_v1',
];
/** What it offers only to programs that a desktop file names. */
export const offeredToGranted: readonly string[] = ['zkde_screencast_unstable_v1', 'org_kde_kwin_fake_input'];

export interface PlayedKwin extends AsyncDisposable {
  /** How many programs have connected. */
  connections(): number;
}

const display = { object: 1, sync: 0, getRegistry: 1, deleteId: 1 } as const;

/** `whileConnecting` is called before a program that connects gets its first answer. */
export async function playKwin(
  socket: string,
  offered: readonly string[],
  whileConnecting: () => void = () => {},
): Promise<PlayedKwin> {
  const sockets: Socket[] = [];
  const server = createServer((connected) => {
    sockets.push(connected);
    whileConnecting();
    answer(connected, offered);
  });
  server.listen(socket);
  await once(server, 'listening');
  // Programs of other users may connect.
  chmodSync(socket, 0o777);
  return {
    connections: () => sockets.length,
    async [Symbol.asyncDispose]() {
      for (const each of sockets) each.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(socket: Socket, offered: readonly string[]): void {
  let received = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes: Buffer) => {
    const { events: requests, rest } = splitEvents(Buffer.concat([received, bytes]));
    received = Buffer.from(rest);
    for (const { object, opcode, body } of requests) {
      if (object !== display.object) continue;
      const created = body.readUInt32LE();
      if (opcode === display.getRegistry)
        for (const [name, kind] of offered.entries())
          socket.write(encodeRequest(created, 0, [name, kind, 4]));
      if (opcode === display.sync) {
        socket.write(encodeRequest(created, 0, [0]));
        socket.write(encodeRequest(display.object, display.deleteId, [created]));
      }
    }
  });
}
