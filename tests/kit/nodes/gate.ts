/** A TCP proxy that can stop carrying bytes without closing a connection, as a network that drops packets. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Gate extends AsyncDisposable {
  port: number;
  /** From now on nothing passes in either direction, and new connections get no answer. */
  hold(): void;
  release(): void;
}

interface GateState {
  isHeld: boolean;
  sockets: Set<Socket>;
}

function carry(state: GateState, from: Socket, to: Socket): void {
  state.sockets.add(from);
  from.on('data', (bytes: Buffer) => void to.write(bytes));
  from.on('error', () => {});
  from.on('close', () => {
    state.sockets.delete(from);
    if (!state.isHeld) to.destroy();
  });
  if (state.isHeld) from.pause();
}

/** `target`: a port of 127.0.0.1. */
export async function openGate(target: number, listenOn = 0): Promise<Gate> {
  const state: GateState = { isHeld: false, sockets: new Set() };
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    carry(state, near, far);
    carry(state, far, near);
  }).listen(listenOn, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    hold() {
      state.isHeld = true;
      for (const socket of state.sockets) socket.pause();
    },
    release() {
      state.isHeld = false;
      for (const socket of state.sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of state.sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
