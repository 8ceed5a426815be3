/** A pipe between the agent and a program that it starts. It has a name only until the agent has connected, and admits no other process. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { NotPossible } from '../../platform.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';

export interface PrivatePipe {
  /** The end for the other program. */
  handle: Handle;
  /** The agent's end. */
  socket: Socket;
}

const modes = { duplex: 3, firstInstance: 0x8_0000 } as const;
const rejectRemote = 8;
const bufferBytes = 64 * 1_024;

/** Opens two pipes for a program that `start` starts. It has its own copies of their ends afterwards. */
export async function withPrivatePipes<Started>(
  api: WindowsApi,
  start: (input: PrivatePipe, output: PrivatePipe) => Started,
): Promise<Started> {
  const [input, output] = await Promise.all([openPrivatePipe(api), openPrivatePipe(api)]);
  try {
    return start(input, output);
  } catch (error) {
    input.socket.destroy();
    output.socket.destroy();
    throw error;
  } finally {
    api.CloseHandle(input.handle);
    api.CloseHandle(output.handle);
  }
}

async function openPrivatePipe(api: WindowsApi): Promise<PrivatePipe> {
  const name = `\\\\.\\pipe\\drawbridge-${randomUUID()}`;
  const mode = modes.duplex | modes.firstInstance;
  const handle = api.CreateNamedPipeW(name, mode, rejectRemote, 1, bufferBytes, bufferBytes, 0, null);
  if (BigInt(handle) === -1n) throw new NotPossible('Windows refused to create a pipe.');
  const socket = connect(name);
  try {
    const connected = Promise.withResolvers<void>();
    socket.once('connect', connected.resolve).once('error', connected.reject);
    await Promise.all([connected.promise, api.ConnectNamedPipe.async(handle, null)]);
    requireOwnClient(api, handle);
    // The end of the other program is not an error.
    socket.on('error', () => socket.destroy());
    return { handle, socket };
  } catch (error) {
    socket.destroy();
    api.CloseHandle(handle);
    throw error;
  }
}

/** Another user could have seen the name and connected first. */
function requireOwnClient(api: WindowsApi, handle: Handle): void {
  const client = Buffer.alloc(4);
  if (!api.GetNamedPipeClientProcessId(handle, client) || client.readUInt32LE() !== process.pid)
    throw new NotPossible('Another program has connected to the pipe of the agent.');
}
