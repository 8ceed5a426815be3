/** Starts the agent in the session that has the monitor, mouse and keyboard of the machine, because a service has none of them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { wideText } from '../../platform/windows/api/wide-text.ts';
import type { Handle, WindowsApi } from '../../platform/windows/api/windows-api.ts';
import { NotPossible } from '../../platform/platform.ts';

export interface SessionProcess {
  session: number;
  /** Asks it to end its connections and itself, and ends it if it does not. */
  stop(): void;
  kill(): void;
  /** Resolves with the exit code. */
  exited: Promise<number>;
}

const noSession = 0xffff_ffff;
const retryMs = 500;

/** While Windows changes the session, there is none. */
async function activeSession(api: WindowsApi, signal: AbortSignal): Promise<number> {
  for (;;) {
    const session = api.WTSGetActiveConsoleSessionId();
    if (session !== noSession) return session;
    await delay(retryMs, undefined, { signal });
  }
}

const forever = 0xffff_ffff;
const stopTimeoutMs = 8_000;
const killedCode = 1;

/** The program runs as SYSTEM, like the service, so that it also reaches the login screen. */
export async function startInActiveSession(
  api: WindowsApi,
  program: string,
  signal: AbortSignal,
): Promise<SessionProcess> {
  const session = await activeSession(api, signal);
  const eventName = `Global\\DrawbridgeAgent-${randomUUID()}`;
  const event = api.CreateEventW(null, 1, 0, eventName);
  if (!event) throw new NotPossible(`Windows could not create an event (error ${api.GetLastError()}).`);
  const child = startWith(api, session, `"${program}" service-agent --stop-event ${eventName}`, event);
  let [isRunning, timer]: [boolean, NodeJS.Timeout | undefined] = [true, undefined];
  const kill = (): void => void (isRunning && api.TerminateProcess(child, killedCode));
  return {
    session,
    stop() {
      if (!isRunning) return;
      api.SetEvent(event);
      timer ??= setTimeout(kill, stopTimeoutMs);
    },
    kill,
    exited: api.WaitForSingleObject.async(child, forever).then(() => {
      isRunning = false;
      clearTimeout(timer);
      const code = Buffer.alloc(4);
      api.GetExitCodeProcess(child, code);
      api.CloseHandle(child);
      api.CloseHandle(event);
      return code.readUInt32LE();
    }),
  };
}

/** Returns the handle of the process. If it cannot be started, nothing stays open. */
function startWith(api: WindowsApi, session: number, command: string, event: Handle): Handle {
  try {
    const token = tokenFor(api, session);
    try {
      return createProcess(api, token, command);
    } finally {
      api.CloseHandle(token);
    }
  } catch (error) {
    api.CloseHandle(event);
    throw error;
  }
}

const currentProcess = -1;
/** Assign, duplicate, query, adjust default and session. */
const tokenAccess = 0x1 | 0x2 | 0x8 | 0x80 | 0x100;
const maximumAllowed = 0x200_0000;
const identification = 1;
const primary = 1;
const sessionInformation = 12;

/** The token of this process, moved to another session. */
function tokenFor(api: WindowsApi, session: number): Handle {
  const [own, copy, id] = [Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(4)];
  id.writeUInt32LE(session);
  const isMoved =
    api.OpenProcessToken(currentProcess, tokenAccess, own) &&
    api.DuplicateTokenEx(own.readBigUInt64LE(), maximumAllowed, null, identification, primary, copy) &&
    api.SetTokenInformation(copy.readBigUInt64LE(), sessionInformation, id, 4);
  const error = isMoved ? undefined : api.GetLastError();
  for (const handle of isMoved ? [own] : [own, copy])
    if (handle.readBigUInt64LE() !== 0n) api.CloseHandle(handle.readBigUInt64LE());
  if (error !== undefined)
    throw new NotPossible(`Windows did not allow a process in session ${session} (error ${error}).`);
  return copy.readBigUInt64LE();
}

const noWindow = 0x800_0000;
const desktop = wideText('winsta0\\default');

function createProcess(api: WindowsApi, token: Handle, command: string): Handle {
  const [startup, result] = [Buffer.alloc(104), Buffer.alloc(24)];
  startup.writeUInt32LE(startup.length);
  startup.writeBigUInt64LE(api.koffi.address(desktop), 16);
  const line = wideText(command);
  if (!api.CreateProcessAsUserW(token, null, line, null, null, 0, noWindow, 0, null, startup, result))
    throw new NotPossible(`Windows could not start the agent in its session (error ${api.GetLastError()}).`);
  api.CloseHandle(result.readBigUInt64LE(8));
  return result.readBigUInt64LE(0);
}
