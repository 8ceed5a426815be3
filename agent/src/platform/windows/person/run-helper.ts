/** The hidden command that the service starts as the signed-in person: opens files and shells until the service closes the channel. */
import { Socket } from 'node:net';
import { createMessageChannel } from '../../helper/message-channel.ts';
import { servePerson } from '../../helper/serve-person.ts';
import { NotPossible } from '../../platform.ts';
import { ownUser, systemUser } from '../api/token-user.ts';
import { loadWindowsApi } from '../api/windows-api.ts';
import { openFiles } from '../files/session-files.ts';
import { openShell } from '../shell/shell.ts';

export async function runPersonHelper(): Promise<number> {
  if (ownUser(await loadWindowsApi()) === systemUser)
    throw new NotPossible('This command only runs as a person who is signed in.');
  const channel = createMessageChannel(new Socket({ fd: 0 }), new Socket({ fd: 1 }));
  await servePerson(channel, { openFiles, openShell });
  // Threads that wait for a console must not keep the process alive.
  process.exit(0);
}
