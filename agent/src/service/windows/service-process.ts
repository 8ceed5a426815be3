/** The two processes of the Windows service: one that the service manager controls, and the agent that it starts in the active session. */
import type { AgentArguments } from '../../arguments.ts';
import { agentFolder } from '../../folder.ts';
import { loadWindowsApi } from '../../platform/windows/api/windows-api.ts';
import { runUntilAborted } from '../../run.ts';
import { connectToManager } from './service-connection.ts';
import { openServiceLog } from './service-log.ts';
import { startInActiveSession, type SessionProcess } from './session-process.ts';

/** Starts the agent again when another session becomes the active one. When the agent ends by itself, the service ends like it. */
export async function runService(): Promise<number> {
  const api = await loadWindowsApi();
  const log = openServiceLog(agentFolder());
  let agent: SessionProcess | undefined;
  const asked = { stop: false, move: false };
  const report = await connectToManager(api, {
    stop() {
      asked.stop = true;
      agent?.stop();
    },
    consoleChanged() {
      asked.move = true;
      agent?.stop();
    },
  });
  let code = 0;
  try {
    do {
      asked.move = false;
      agent = await startInActiveSession(api, process.execPath);
      log(`started in session ${agent.session}`);
      if (asked.stop || asked.move) agent.stop();
      code = await agent.exited;
    } while (asked.move && !asked.stop);
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    code = 1;
  }
  report('stopped', code);
  // The thread of the service manager would keep the process alive.
  process.exit(code);
}

const synchronize = 0x10_0000;
const forever = 0xffff_ffff;

/** Runs until the service says so, or is gone. */
export async function runServiceAgent(options: AgentArguments): Promise<number> {
  const api = await loadWindowsApi();
  const log = openServiceLog(agentFolder());
  const end = new AbortController();
  const handles = Buffer.alloc(16);
  handles.writeBigUInt64LE(BigInt(api.OpenEventW(synchronize, 0, options.stopEvent ?? '')), 0);
  handles.writeBigUInt64LE(BigInt(api.OpenProcess(synchronize, 0, process.ppid)), 8);
  void api.WaitForMultipleObjects.async(2, handles, 0, forever).then(() => end.abort());
  const code = await runUntilAborted({ ...options, service: true }, end.signal, log).catch(
    (error: unknown) => {
      log(error instanceof Error ? error.message : String(error));
      return 1;
    },
  );
  // The thread that waits would keep the process alive.
  process.exit(code);
}
