/** The agent's entry in the list of services of Windows: created, changed, started, stopped, deleted. */
import { setTimeout as delay } from 'node:timers/promises';
import { wideText } from '../../platform/windows/api/wide-text.ts';
import type { Handle, WindowsApi } from '../../platform/windows/api/windows-api.ts';
import { NotPossible } from '../../platform/platform.ts';
import { encodeFailureActions, encodeRestarts, restartDelays, restartsAfter } from './failure-actions.ts';

export const serviceName = 'DrawbridgeAgent';
const displayName = 'Drawbridge agent';
const description = 'Gives the members of a Drawbridge account remote access to this device.';

const allManagerAccess = 0xf003f;
const allServiceAccess = 0xf01ff;
const connectOnly = 0x1;
const queryOnly = 0x4;
const ownProcess = 0x10;
const startAtBoot = 2;
const normalError = 1;
const stopControl = 1;
const states = { stopped: 1, running: 4 } as const;
const errors = {
  accessDenied: 5,
  unknownLevel: 124,
  alreadyRunning: 1056,
  doesNotExist: 1060,
  notActive: 1062,
} as const;
const information = { description: 1, failureActions: 2 } as const;

const stopTimeoutMs = 30_000;
const pollMs = 100;

function failed(api: WindowsApi, what: string): never {
  const code = api.GetLastError();
  if (code === errors.accessDenied)
    throw new NotPossible(`Windows does not allow to ${what}. Run this as an administrator.`);
  throw new NotPossible(`Windows could not ${what} (error ${code}).`);
}

/** Opens the manager and the service, and closes both afterwards. `use` gets undefined if the service does not exist. */
async function withService<Result>(
  api: WindowsApi,
  access: { manager: number; service: number },
  use: (service: Handle | undefined, manager: Handle) => Promise<Result> | Result,
): Promise<Result> {
  const manager = api.OpenSCManagerW(null, null, access.manager);
  if (!manager) failed(api, 'open its list of services');
  const service = api.OpenServiceW(manager, serviceName, access.service);
  if (!service && api.GetLastError() !== errors.doesNotExist) failed(api, 'open the service');
  try {
    return await use(service || undefined, manager);
  } finally {
    if (service) api.CloseServiceHandle(service);
    api.CloseServiceHandle(manager);
  }
}

const full = { manager: allManagerAccess, service: allServiceAccess };

function stateOf(api: WindowsApi, service: Handle): number {
  const status = Buffer.alloc(28);
  if (!api.QueryServiceStatus(service, status)) failed(api, 'read the state of the service');
  return status.readUInt32LE(4);
}

export const readServiceState = (api: WindowsApi): Promise<{ installed: boolean; running: boolean }> =>
  withService(api, { manager: connectOnly, service: queryOnly }, (service) => ({
    installed: service !== undefined,
    running: service !== undefined && stateOf(api, service) === states.running,
  }));

/** Throws unless this user may install services. */
export const requireAdministrator = (api: WindowsApi): Promise<void> => withService(api, full, () => {});

/** Creates the service, or changes the command of an existing one. It starts at boot and again after each crash. */
export const registerService = (api: WindowsApi, command: string): Promise<void> =>
  withService(api, full, (known, manager) => {
    const kind = [ownProcess, startAtBoot, normalError, command, null, null, null, null, null] as const;
    const service = known ?? api.CreateServiceW(manager, serviceName, displayName, allServiceAccess, ...kind);
    if (!service) failed(api, 'create the service');
    if (known && !api.ChangeServiceConfigW(service, ...kind, displayName)) failed(api, 'change the service');
    describeService(api, service);
    if (!known) api.CloseServiceHandle(service);
  });

function describeService(api: WindowsApi, service: Handle): void {
  const { koffi } = api;
  const set = (level: number, record: Buffer): void => {
    if (api.ChangeServiceConfig2W(service, level, record)) return;
    // Wine knows only some of the levels.
    if (api.GetLastError() !== errors.unknownLevel) failed(api, 'describe the service');
  };
  const text = wideText(description);
  set(information.description, pointers(koffi.address(text)));
  const actions = encodeRestarts(restartDelays);
  set(information.failureActions, encodeFailureActions(restartDelays.length, koffi.address(actions)));
  if (!isRestarted(api, service))
    throw new NotPossible('Windows did not accept that the service restarts after a crash.');
}

const maxRecordBytes = 8 * 1_024;

/** Reads back what was set. True if this Windows cannot say it, as under Wine. */
function isRestarted(api: WindowsApi, service: Handle): boolean {
  const [bytes, needed] = [Buffer.alloc(maxRecordBytes), Buffer.alloc(4)];
  if (!api.QueryServiceConfig2W(service, information.failureActions, bytes, bytes.length, needed))
    return api.GetLastError() === errors.unknownLevel;
  return restartsAfter(bytes, api.koffi.address(bytes), restartDelays);
}

function pointers(address: bigint): Buffer {
  const record = Buffer.alloc(8);
  record.writeBigUInt64LE(address);
  return record;
}

export const startWindowsService = (api: WindowsApi): Promise<void> =>
  withService(api, full, (service) => {
    if (!service || api.StartServiceW(service, 0, null)) return;
    if (api.GetLastError() !== errors.alreadyRunning) failed(api, 'start the service');
  });

/** Resolves when the service has stopped; true if it existed. */
export const stopService = (api: WindowsApi): Promise<boolean> =>
  withService(api, full, async (service) => {
    if (!service) return false;
    if (!api.ControlService(service, stopControl, Buffer.alloc(28))) {
      if (api.GetLastError() !== errors.notActive) failed(api, 'stop the service');
    }
    for (let waited = 0; stateOf(api, service) !== states.stopped; waited += pollMs) {
      if (waited > stopTimeoutMs) throw new NotPossible('The service did not stop within 30 seconds.');
      await delay(pollMs);
    }
    return true;
  });

export const deleteService = (api: WindowsApi): Promise<void> =>
  withService(api, full, (service) => {
    if (service && !api.DeleteService(service)) failed(api, 'delete the service');
  });
