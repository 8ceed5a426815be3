/** The hidden command that the service starts as the signed-in person: serves their desktop until the service closes the channel. */
import { Socket } from 'node:net';
import type { AgentArguments } from '../../../arguments.ts';
import { becomePerson } from './become-person.ts';
import { openByPath, reportPaths } from './choose-path.ts';
import { openFrameMemory } from './frame-memory.ts';
import { helperFds } from './helper-process.ts';
import { loadLibc } from './libc.ts';
import { createMessageChannel } from '../../helper/message-channel.ts';
import { serveDesktop } from './serve-desktop.ts';

export async function runDesktopHelper({ person }: AgentArguments): Promise<number> {
  if (person !== undefined) await leaveRoot(person);
  const socket = new Socket({ fd: helperFds.channel });
  const channel = createMessageChannel(socket, socket);
  const memory = await openFrameMemory(helperFds.memory);
  const closed = Promise.withResolvers<number>();
  serveDesktop(channel, { reportPaths, openDesktop: (tokens) => openByPath(memory, tokens) });
  channel.onClose(() => closed.resolve(0));
  await closed.promise;
  // The compositor releases what was pressed, and removes the agent's windows.
  process.exit();
}

/** Afterwards other programs of the person must not find a way into this process, because KWin grants its interfaces to it. */
async function leaveRoot(person: string): Promise<void> {
  // Node starts its debugger at this signal, which every process of the person may send.
  process.on('SIGUSR1', () => {});
  // The single file unpacks native modules: as the person into a folder of theirs, where they could replace them.
  await loadLibc();
  becomePerson(person);
}
