/** Runs as the process of a person: opens files and shells of this machine over its standard input and output. */
import { Socket } from 'node:net';
import { createMessageChannel } from '@drawbridge/agent/platform/helper/message-channel';
import { servePerson } from '@drawbridge/agent/platform/helper/serve-person';
import { openFiles } from '@drawbridge/agent/platform/linux/files/session-files';
import { openShell } from '@drawbridge/agent/platform/linux/shell';

const channel = createMessageChannel(new Socket({ fd: 0 }), new Socket({ fd: 1 }));
await servePerson(channel, { openFiles, openShell });
process.exit(0);
