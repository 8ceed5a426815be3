/** Installs the agent as a service of Windows, reads its state and removes it. */
import { agentFolder, windowsProgramPath } from '../../folder.ts';
import { loadWindowsApi } from '../../platform/windows/api/windows-api.ts';
import { stateFor } from '../../run.ts';
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
import { protectFolder } from './protected-folder.ts';

export const windowsService: ServiceManager = {
  async install(options) {
    const api = await loadWindowsApi();
    await requireAdministrator(api);
    const folder = agentFolder();
    protectFolder(api, folder);
    const { server } = stateFor(options, folder);
    const path = windowsProgramPath(process.env);
    await stopService(api);
    installWindowsProgram(path);
    await registerService(api, `"${path}" service`);
    addEntry(api, path);
    await startWindowsService(api);
    return server;
  },
  state: async () => readServiceState(await loadWindowsApi()),
  async uninstall() {
    const api = await loadWindowsApi();
    await requireAdministrator(api);
    if (!(await stopService(api))) return;
    await deleteService(api);
    removeEntry(api);
    removeWindowsProgram(windowsProgramPath(process.env));
  },
};
