/** Installs the agent as a service of systemd, reads its state and removes it. */
import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { agentFolder } from '../folder.ts';
import { vncAddress } from '../platform/linux/vnc/settings.ts';
import { placeKdeGrant, removeKdeGrant } from '../platform/linux/wayland/kde/grant.ts';
import { requirePrivateFolder } from '../platform/private-folder.ts';
import { NotPossible } from '../platform/platform.ts';
import { stateFor } from '../run.ts';
import { saveEnvironment } from './environment-file.ts';
import { installProgram, placedProgram, removeProgram } from './program.ts';
import type { ServiceManager } from './service-manager.ts';
import { unitFile, unitName } from './unit.ts';

const run = promisify(execFile);

/** The systemd folder for locally installed units. */
const unitPath = `/etc/systemd/system/${unitName}`;

const systemctl = (...args: string[]): Promise<unknown> =>
  run('systemctl', args, { timeout: 30_000 }).catch((error: { stderr?: string; message: string }) => {
    throw new NotPossible(`systemctl ${args.join(' ')} failed: ${(error.stderr ?? error.message).trim()}`);
  });

export const systemd: ServiceManager = {
  async install(options) {
    if (process.platform !== 'linux')
      throw new NotPossible(
        'Installing as a service is supported only on Linux with systemd and on Windows.',
      );
    if (process.getuid?.() !== 0) throw new NotPossible('Installing a system service needs root. Use sudo.');
    if (!existsSync('/run/systemd/system'))
      throw new NotPossible(
        'This system does not run systemd. Let its own service manager start `agent run`.',
      );
    vncAddress(process.env); // throws if the address is not on this device
    const folder = requirePrivateFolder(agentFolder());
    const { server } = stateFor(options, folder);
    const environment = saveEnvironment(folder, process.env);
    writeFileSync(unitPath, unitFile({ command: await installProgram(), folder }), { mode: 0o644 });
    const grant = await placeKdeGrant(); // the service must find it as soon as it starts
    await systemctl('daemon-reload');
    await systemctl('enable', unitName);
    await systemctl('restart', unitName); // replaces an agent that is already running
    return {
      server,
      placed: [
        ...placedProgram(),
        ...grant,
        `${unitPath}: the service`,
        `${folder}: the key and the state of the device`,
        ...(environment ? [`${environment}: the environment of the service`] : []),
      ],
    };
  },
  async state() {
    const running = await run('systemctl', ['is-active', unitName]).then(
      ({ stdout }) => stdout.trim() === 'active',
      () => false,
    );
    return { installed: existsSync(unitPath), running };
  },
  async uninstall() {
    if (!existsSync(unitPath)) return;
    await systemctl('disable', '--now', unitName);
    rmSync(unitPath);
    await systemctl('daemon-reload');
    removeKdeGrant();
    removeProgram();
  },
};
