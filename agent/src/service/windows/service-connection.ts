/** Connects a process with the Windows service manager: reports its state, and receives what the manager asks for. */
import { wideText } from '../../platform/windows/api/wide-text.ts';
import type { Handle, WindowsApi } from '../../platform/windows/api/windows-api.ts';
import { NotPossible } from '../../platform/platform.ts';
import { serviceName } from './control-manager.ts';

const states = { stopped: 1, stopPending: 3, running: 4 } as const;
const controls = { stop: 1, shutdown: 5, sessionChange: 14 } as const;
const consoleConnected = 1;
/** Stop, shutdown and session change. */
const accepted = 0x1 | 0x4 | 0x80;
const ownProcess = 0x10;
const stopHintMs = 10_000;

export interface ServiceEvents {
  stop(): void;
  /** Another session got the monitor, mouse and keyboard of the machine. */
  consoleChanged(): void;
}

/** Tells the manager the state of the service. */
export type ReportState = (state: keyof typeof states) => void;

/** Resolves when the manager has started the service. */
export function connectToManager(api: WindowsApi, events: ServiceEvents): Promise<ReportState> {
  const { koffi } = api;
  return new Promise((resolve, reject) => {
    let report: ReportState;
    const handle = (control: number, kind: number): number => {
      if (control === controls.sessionChange && kind === consoleConnected) events.consoleChanged();
      if (control === controls.stop || control === controls.shutdown) {
        report('stopPending');
        events.stop();
      }
      return 0;
    };
    const handlerType = koffi.proto('uint __stdcall ServiceHandler(uint, uint, void*, void*)');
    const handler = koffi.register(handle, koffi.pointer(handlerType));
    const start = (): void => {
      report = createReport(api, api.RegisterServiceCtrlHandlerExW(serviceName, handler, 0));
      report('running');
      resolve(report);
    };
    const mainType = koffi.proto('void __stdcall ServiceMain(uint, void*)');
    const main = koffi.register(start, koffi.pointer(mainType));
    const name = wideText(serviceName);
    // The name and the function of each service, ended by an empty entry.
    const table = Buffer.alloc(32);
    table.writeBigUInt64LE(koffi.address(name), 0);
    table.writeBigUInt64LE(main, 8);
    void dispatch(api, table).catch(reject);
  });
}

/** Resolves when the service has stopped. */
async function dispatch(api: WindowsApi, table: Buffer): Promise<void> {
  if (!(await api.StartServiceCtrlDispatcherW.async(table)))
    throw new NotPossible('Only the service manager of Windows can start this command.');
}

const createReport =
  (api: WindowsApi, handle: Handle): ReportState =>
  (state) => {
    const status = Buffer.alloc(28);
    const hint = state === 'stopPending' ? stopHintMs : 0;
    const values = [ownProcess, states[state], state === 'running' ? accepted : 0, 0, 0, 0, hint];
    values.forEach((value, index) => status.writeUInt32LE(value, 4 * index));
    api.SetServiceStatus(handle, status);
  };
