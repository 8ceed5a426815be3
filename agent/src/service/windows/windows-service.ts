/** Installs the agent as a service of Windows, reads its state and removes it. */
import { agentFolder, windowsProgramPath } from '../../folder.ts';
import { loadWindowsApi } from '../../platform/windows/api/windows-api.ts';
import { restorePolicy } from '../../platform/windows/input/secure-attention.ts';
import { protectFolder } from '../../platform/windows/protected-folder.ts';
import { stateFor } from '../../run.ts';
import { saveEnvironment } from '../environment-file.ts';
import type { ServiceManager } from '../service-manager.ts';
import {
  deleteService,
  readServiceState,
  registerService,
  requireAdministrator,
  startWindowsService,
  stopService,
} from './control-manager.ts';
import { addEntry, installWindowsProgram, removeEntry, removeWindowsProgram } from './installed-program.ts';

export const windowsService: ServiceManager = {
  async install(options) {
    const api = await loadWindowsApi();
    await requireAdministrator(api);
    const folder = agentFolder();
    protectFolder(api, folder);
    const { server } = stateFor(options, folder);
    const environment = saveEnvironment(folder, process.env);
    const path = windowsProgramPath(process.env);
    await stopService(api);
    await installWindowsProgram(path);
    await registerService(api, `"${path}" service`);
    addEntry(api, path);
    await startWindowsService(api);
    return {
      server,
      placed: [
        `${path}: the program`,
        'a service, and an entry in "Apps & Features"',
        `${folder}: the key and the state of the device`,
        ...(environment ? [`${environment}: the environment of the service`] : []),
      ],
    };
  },
  state: async () => readServiceState(await loadWindowsApi()),
  async uninstall() {
    const api = await loadWindowsApi();
    await requireAdministrator(api);
    if (!(await stopService(api))) return;
    await deleteService(api);
    restorePolicy(api);
    removeEntry(api);
    removeWindowsProgram(windowsProgramPath(process.env));
  },
};
