/** Starts the agent's own program as the signed-in person, because only their processes may use their desktop. */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { isSea } from 'node:sea';
import { createFrameMemory, type FrameMemory } from './frame-memory.ts';
import { agentFolder, folderVariable } from '../../../folder.ts';
import { createMessageChannel } from '../../helper/message-channel.ts';
import { createRemoteObjects, mainObject, type RemoteObjects } from '../../helper/remote-objects.ts';
import { textIn } from '../../helper/plain-values.ts';
import { environmentForPerson } from '../person-process.ts';
import { nameOfPerson } from './become-person.ts';
import { compositorOf } from './compositor-name.ts';
import { grantedProgram, grantProblemVariable } from './kde/grant.ts';
import { kdeName } from './kde/protocol.ts';
import { isWantedPath, pathSetting } from './wayland-path.ts';
import { environmentOf, type WaylandSession } from './wayland-session.ts';

export interface Helper {
  objects: RemoteObjects;
  memory: FrameMemory;
  /** The memory stays mapped until the last capture is closed, because an encoder may still read it. */
  countCapture(change: 1 | -1): void;
  whyClosed(): string;
  onClose(listener: () => void): void;
  close(): void;
}

/** The hidden command of the agent that serves a desktop. */
const helperCommand = 'desktop-helper';
/** The numbers that the channel and the memory have in the helper. */
export const helperFds = { channel: 3, memory: 4 } as const;

const lostReason = 'The desktop of the device has ended, or the agent lost its connection to it.';
const silentReason = 'The desktop of the device does not answer.';
const maxReasonLength = 1_000;

/** The only setting of the service that the helper gets. */
const chosenPath = (): Record<string, string> => {
  const wanted = process.env[pathSetting];
  return wanted ? { [pathSetting]: wanted } : {};
};

interface Grant {
  /** The program to which the compositor grants its interfaces. Only root can start it, so it becomes a process of the person by itself. */
  program?: string | undefined;
  /** Why that program cannot be used. */
  problem?: string;
}

function spawnHelper(session: WaylandSession, memoryFd: number, { program, problem }: Grant): ChildProcess {
  const { uid, gid } = session;
  const command = [...(isSea() ? [] : [process.argv[1]!]), helperCommand];
  const options = {
    cwd: '/',
    env: environmentForPerson({
      ...environmentOf(session),
      ...chosenPath(),
      ...(problem !== undefined && { [grantProblemVariable]: problem }),
    }),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', memoryFd] satisfies StdioOptions,
  };
  return program === undefined
    ? spawn(process.execPath, command, { ...options, uid, gid })
    : spawn(program, [...command, '--person', nameOfPerson(session)], {
        ...options,
        // While it is root, it unpacks native modules where the service does.
        env: { ...options.env, [folderVariable]: agentFolder() },
      });
}

/** Why the program could not be renewed for the last helper, so that each reason is logged once. */
let loggedProblem: string | undefined;

/** What the compositor grants, if it is wanted. Portals cannot look into that program, so the others do not get it. */
async function grantFor(session: WaylandSession): Promise<Grant> {
  // KWin is also run by a wrapper whose name starts with its own.
  if (!isWantedPath(kdeName) || !(await compositorOf(session)).startsWith('kwin_wayland')) return {};
  try {
    const program = await grantedProgram();
    loggedProblem = undefined;
    return { program };
  } catch (error) {
    // Without it, such as on a full disk, the helper says why KWin grants nothing, and the portal is next.
    const problem = (error as Error).message;
    logOnce(problem);
    return { problem };
  }
}

function logOnce(problem: string): void {
  if (problem === loggedProblem) return;
  loggedProblem = problem;
  console.error(`The copy of the agent to which KWin grants its interfaces could not be renewed: ${problem}`);
}

export async function startHelper(session: WaylandSession): Promise<Helper> {
  const grant = await grantFor(session);
  const memory = await createFrameMemory();
  const child = spawnHelper(session, memory.fd, grant);
  const socket = child.stdio[helperFds.channel] as Duplex;
  const channel = createMessageChannel(socket, socket);
  let [captures, isOpen, reason] = [0, true, lostReason];
  const closeListeners: (() => void)[] = [];
  const unmapIfUnused = (): void => void (!isOpen && captures === 0 && memory.close());
  const objects = createRemoteObjects(channel, { closed: () => reason, silent: silentReason });
  const stopReason = objects.onEvent(mainObject, (event, value) => {
    if (event !== 'closed') return;
    reason = textIn(value, maxReasonLength);
    channel.close();
  });
  child.on('error', () => channel.close());
  channel.onClose(() => {
    isOpen = false;
    stopReason();
    child.kill('SIGKILL');
    unmapIfUnused();
    for (const listener of closeListeners) listener();
  });
  return {
    objects,
    memory,
    countCapture(change) {
      captures += change;
      unmapIfUnused();
    },
    whyClosed: () => reason,
    onClose: (listener) => void closeListeners.push(listener),
    close: channel.close,
  };
}
