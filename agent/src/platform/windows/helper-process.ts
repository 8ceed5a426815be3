/** Starts the agent's own program a second time, with a hidden command, and connects it over two pipes. */
import { isSea } from 'node:sea';
import { createMessageChannel, type MessageChannel } from '../helper/message-channel.ts';
import type { Handle, WindowsApi } from './api/windows-api.ts';
import { startPipedProgram } from './piped-program.ts';
import { withPrivatePipes } from './shell/pipe.ts';

interface HelperStart {
  command: string;
  /** The token of the person; absent for a helper with the rights of the agent. */
  token?: Handle;
  /** The name of the desktop on which its windows appear. */
  desktop: string;
}

const endTimeoutMs = 3_000;

/** The process has some time to end by itself after the channel was closed. */
export const startHelperProcess = (
  api: WindowsApi,
  { command, ...place }: HelperStart,
): Promise<MessageChannel> =>
  withPrivatePipes(api, (input, output) => {
    const program = [process.execPath, ...(isSea() ? [] : [process.argv[1]!])];
    const commandLine = [...program.map((each) => `"${each}"`), command].join(' ');
    const pipes = { input: input.handle, output: output.handle };
    const handle = startPipedProgram(api, { commandLine, ...place, ...pipes });
    const channel = createMessageChannel(output.socket, input.socket);
    channel.onClose(() => {
      setTimeout(() => {
        api.TerminateProcess(handle, 1);
        api.CloseHandle(handle);
      }, endTimeoutMs).unref();
    });
    return channel;
  });
