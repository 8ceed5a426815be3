/** Connects the agent with a helper that it starts on another desktop of Windows. */
import { randomUUID } from 'node:crypto';
import { createHelperDesktop } from '../../helper/desktop/helper-desktop.ts';
import { createRemoteObjects, mainObject } from '../../helper/remote-objects.ts';
import { ownUser, systemUser } from '../api/token-user.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { startHelperProcess } from '../helper-process.ts';
import { desktopArea } from '../screen/bitmap.ts';
import { inputDesktopName, ownDesktopName } from './desktop-names.ts';
import { createFrameMapping } from './frame-mapping.ts';
import { createInputDesktops, type ConnectedDesktop, type InputDesktops } from './input-desktops.ts';

/** The hidden command of the agent that serves the desktop. */
const helperCommand = 'input-desktop-helper';
const startTimeoutMs = 30_000;

const sentences = {
  ended: 'Windows shows its login screen or question no longer.',
  silent: 'The process that the agent runs beside the login screen of Windows does not answer.',
} as const;

let followed: InputDesktops | undefined;

/** The desktop that Windows keeps for itself. Programs of others do not start there. */
const protectedDesktop = 'winlogon';

export const inputDesktopsOf = (api: WindowsApi): InputDesktops =>
  (followed ??= createInputDesktops({
    look: createLook(api),
    connect: (name) => connectDesktop(api, name),
  }));

/** An agent that may not use the desktop that has mouse and keyboard stays on its own. */
function createLook(api: WindowsApi): () => string | undefined {
  const own = ownDesktopName(api);
  const isSystem = ownUser(api) === systemUser;
  return () => {
    const name = inputDesktopName(api);
    return name === own || (name === protectedDesktop && !isSystem) ? undefined : name;
  };
}

async function connectDesktop(api: WindowsApi, name: string): Promise<ConnectedDesktop> {
  const { width, height } = desktopArea(api);
  const memoryName = `Local\\drawbridge-${randomUUID()}`;
  const memory = createFrameMapping(api, memoryName, width * height);
  const start = { command: helperCommand, desktop: name };
  const channel = await startHelperProcess(api, start).catch((error: unknown) => {
    memory.close();
    throw error;
  });
  let [captures, isOpen] = [0, true];
  const unmapIfUnused = (): void => void (!isOpen && captures === 0 && memory.close());
  channel.onClose(() => {
    isOpen = false;
    unmapIfUnused();
  });
  const objects = createRemoteObjects(channel, { closed: () => sentences.ended, silent: sentences.silent });
  const opened = objects.call(mainObject, 'open', [memoryName, width * height], {
    timeoutMs: startTimeoutMs,
  });
  await opened.catch((error: unknown) => {
    channel.close();
    throw error;
  });
  const connection = {
    objects,
    memory,
    countCapture(change: 1 | -1) {
      captures += change;
      unmapIfUnused();
    },
    whyClosed: () => sentences.ended,
    onClose: channel.onClose,
    close: channel.close,
  };
  return createHelperDesktop({ value: connection, release: channel.close });
}
