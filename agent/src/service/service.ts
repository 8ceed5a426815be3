/** Installs the agent as a system service, shows its status and removes it. Supports Linux with systemd. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AgentArguments } from '../arguments.ts';
import { agentFolder } from '../folder.ts';
import { sizeMarkName } from '../platform/marks/screen-size.ts';
import { shieldMarkName } from '../platform/marks/shield-mark.ts';
import { vncAddress } from '../platform/linux/vnc/settings.ts';
import { requirePrivateFolder } from '../platform/private-folder.ts';
import { NotPossible } from '../platform/platform.ts';
import { nativeFolderName } from '../platform/native-assets.ts';
import { stateFor } from '../run.ts';
import { loadState, removeState } from '../state.ts';
import { updateRecordName } from '../update/update-record.ts';
import { installProgram, removeProgram } from './program.ts';
import { environmentFile, environmentName, unitFile, unitName } from './unit.ts';

const run = promisify(execFile);

/** The systemd folder for locally installed units. */
const unitPath = `/etc/systemd/system/${unitName}`;

const systemctl = (...args: string[]): Promise<unknown> =>
  run('systemctl', args, { timeout: 30_000 }).catch((error: { stderr?: string; message: string }) => {
    throw new NotPossible(`systemctl ${args.join(' ')} failed: ${(error.stderr ?? error.message).trim()}`);
  });

export async function install(options: AgentArguments): Promise<number> {
  if (process.platform !== 'linux')
    throw new NotPossible('Installing as a service is supported only on Linux with systemd.');
  if (process.getuid?.() !== 0) throw new NotPossible('Installing a system service needs root. Use sudo.');
  if (!existsSync('/run/systemd/system'))
    throw new NotPossible('This system does not run systemd. Let its own service manager start `agent run`.');
  vncAddress(process.env); // throws if the address is not on this device
  const folder = requirePrivateFolder(agentFolder());
  const state = stateFor(options, folder);
  const environmentPath = join(folder, environmentName);
  const known = existsSync(environmentPath) ? readFileSync(environmentPath, 'utf8') : '';
  // A repeated installation without a proxy setting keeps the known one.
  const environment = environmentFile(process.env, known);
  if (environment) writeFileSync(environmentPath, environment, { mode: 0o600 });
  writeFileSync(unitPath, unitFile({ command: installProgram(), folder }), { mode: 0o644 });
  await systemctl('daemon-reload');
  await systemctl('enable', unitName);
  await systemctl('restart', unitName); // replaces an agent that is already running
  console.log(
    `The agent is installed and connects to ${state.server}. To check it, run: drawbridge agent status`,
  );
  return 0;
}

export async function printStatus({ json }: AgentArguments): Promise<number> {
  const state = loadState(agentFolder());
  const active = await run('systemctl', ['is-active', unitName]).then(
    ({ stdout }) => stdout.trim() === 'active',
    () => false,
  );
  const report = {
    installed: existsSync(unitPath),
    running: active,
    ...(state && { server: state.server, device_id: state.deviceId, owner: state.owner, name: state.name }),
  };
  if (json) console.log(JSON.stringify(report));
  else for (const [name, value] of Object.entries(report)) console.log(`${name.padEnd(10)} ${value}`);
  return active ? 0 : 3;
}

export async function uninstall(): Promise<number> {
  const folder = requirePrivateFolder(agentFolder());
  if (existsSync(unitPath)) {
    await systemctl('disable', '--now', unitName);
    rmSync(unitPath);
    await systemctl('daemon-reload');
    removeProgram();
  }
  removeState(folder);
  for (const name of [environmentName, nativeFolderName, shieldMarkName, sizeMarkName, updateRecordName])
    rmSync(join(folder, name), { recursive: true, force: true });
  // A folder that contains other files is kept.
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  console.log(
    'The agent and its key were removed from this device. If the account still lists the device, unlink it there too.',
  );
  return 0;
}
