/** The two processes of the Windows service: one that the service manager controls, and the agent that it starts in the active session. */
import { dirname } from 'node:path';
import type { AgentArguments } from '../../arguments.ts';
import { agentFolder, windowsProgramPath } from '../../folder.ts';
import { loadWindowsApi } from '../../platform/windows/api/windows-api.ts';
import { runUntilAborted } from '../../run.ts';
import { readEnvironment } from '../environment-file.ts';
import { connectToManager, type ReportState } from './service-connection.ts';
import { openServiceLog } from './service-log.ts';
import { addEntry } from './installed-program.ts';
import { startInActiveSession } from './session-process.ts';
import { superviseAgent, type Supervisor } from './supervisor.ts';

/** Runs until the service manager stops it, or the device is unlinked. */
export async function runService(): Promise<number> {
  const api = await loadWindowsApi();
  const log = openServiceLog(agentFolder());
  const started = Promise.withResolvers<Supervisor>();
  const report = await connectToManager(api, {
    stop: () => void started.promise.then((supervisor) => supervisor.stop()),
    consoleChanged: () => void started.promise.then((supervisor) => supervisor.move()),
  });
  const supervisor = superviseAgent({
    folder: dirname(windowsProgramPath()),
    start: (program, signal) => startInActiveSession(api, program, signal),
    log,
  });
  started.resolve(supervisor);
  process.exit(await endCode(supervisor, report, log));
}

/**
 * The caller must exit with this code, because the thread of the service manager would keep the process alive. After a failure,
 * "stopped" is not reported, so that the manager starts the service again.
 */
export async function endCode(
  { ended }: Pick<Supervisor, 'ended'>,
  report: ReportState,
  log: (line: string) => void,
): Promise<number> {
  try {
    await ended;
    report('stopped');
    return 0;
  } catch (error) {
    log(`the service fails: ${String(error)}`);
    return 1;
  }
}

const synchronize = 0x10_0000;
const modifyEvent = 0x2;
const forever = 0xffff_ffff;

/** Runs until the service says so, or is gone. */
export async function runServiceAgent(options: AgentArguments): Promise<number> {
  const api = await loadWindowsApi();
  const log = openServiceLog(agentFolder());
  const end = new AbortController();
  const handles = Buffer.alloc(16);
  const stopEvent = api.OpenEventW(synchronize | modifyEvent, 0, options.stopEvent ?? '');
  handles.writeBigUInt64LE(BigInt(stopEvent), 0);
  handles.writeBigUInt64LE(BigInt(api.OpenProcess(synchronize, 0, process.ppid)), 8);
  const asked = api.WaitForMultipleObjects.async(2, handles, 0, forever).then(() => end.abort());
  const run = async (): Promise<number> => {
    try {
      addEntry(api, windowsProgramPath()); // an update changes the version
    } catch (error) {
      log(String(error)); // the list of programs shows the previous version until the next start
    }
    Object.assign(process.env, readEnvironment(agentFolder()));
    return runUntilAborted({ ...options, service: true }, end.signal, log);
  };
  const code = await run().catch((error: unknown) => {
    log(error instanceof Error ? error.message : String(error));
    return 1;
  });
  // Ends the thread that waits, because a process cannot exit before its threads.
  api.SetEvent(stopEvent);
  await asked;
  process.exit(code);
}
