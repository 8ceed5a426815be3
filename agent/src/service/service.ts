/** Installs the agent as a system service, shows its status and removes it: on Linux with systemd, and on Windows. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentArguments } from '../arguments.ts';
import { agentFolder } from '../folder.ts';
import { approversName, loadApprovers } from '../four-eyes/approvers.ts';
import { removeLeftPrinters } from '../platform/linux/printing/cups.ts';
import { printerMarkName, printersLeft } from '../platform/marks/printer-mark.ts';
import { sizeMarkName } from '../platform/marks/screen-size.ts';
import { shieldMarkName } from '../platform/marks/shield-mark.ts';
import { isTokenName } from '../platform/linux/wayland/restore-tokens.ts';
import { policyMarkName } from '../platform/windows/input/secure-attention.ts';
import { safeModeMarkName } from '../platform/windows/power.ts';
import { requirePrivateFolder } from '../platform/private-folder.ts';
import { nativeFolderName } from '../platform/native-assets.ts';
import { loadState, removeState } from '../state.ts';
import { updateRecordName } from '../update/update-record.ts';
import { environmentName } from './environment-file.ts';
import { desktopReportCommand } from './program.ts';
import type { ServiceManager } from './service-manager.ts';
import { systemd } from './systemd.ts';
import { logName } from './windows/service-log.ts';

/** Longer than a desktop that hangs may take. */
const doctorTimeoutMs = 30_000;

/** Loaded on demand, because it needs the functions of Windows. */
const serviceManager = async (): Promise<ServiceManager> =>
  process.platform === 'win32' ? (await import('./windows/windows-service.ts')).windowsService : systemd;

export async function install(options: AgentArguments): Promise<number> {
  const { server, placed } = await (await serviceManager()).install(options);
  console.log(`The agent is installed and connects to ${server}. To check it, run: drawbridge-agent status`);
  console.log(['Placed on this device, and removed again by `uninstall`:', ...placed].join('\n  '));
  if (process.platform === 'linux') printDoctor();
  return 0;
}

/** The installation is complete even if a desktop cannot be shown, or nobody is signed in yet. */
function printDoctor(): void {
  const [program, ...args] = desktopReportCommand();
  const { stdout } = spawnSync(program!, args, { encoding: 'utf8', timeout: doctorTimeoutMs });
  if (stdout) console.log(`${stdout.trim()}\nTo see this again, run: drawbridge-agent doctor`);
}

export async function printStatus({ json }: AgentArguments): Promise<number> {
  const state = loadState(agentFolder());
  const approvers = loadApprovers(agentFolder()).map(({ name }) => name);
  const { installed, running } = await (await serviceManager()).state();
  const report = {
    installed,
    running,
    ...(state && { server: state.server, device_id: state.deviceId, owner: state.owner, name: state.name }),
    ...(approvers.length > 0 && { approvers }),
  };
  if (json) console.log(JSON.stringify(report));
  else for (const [name, value] of Object.entries(report)) console.log(`${name.padEnd(10)} ${String(value)}`);
  return running ? 0 : 3;
}

/** What the agent may leave in its folder besides its state. */
const fileNames = [
  approversName,
  environmentName,
  nativeFolderName,
  printerMarkName,
  shieldMarkName,
  sizeMarkName,
  safeModeMarkName,
  policyMarkName,
  updateRecordName,
  logName,
];

/** CUPS need not run at this moment, and the agent cannot try again later. */
async function removePrinters(): Promise<void> {
  await removeLeftPrinters().catch(({ message }: Error) => {
    const commands = printersLeft().map((name) => `lpadmin -x ${name}`);
    console.log(`${message} To remove what sessions have left there, run later: ${commands.join('; ')}`);
  });
}

export async function uninstall(): Promise<number> {
  const folder = requirePrivateFolder(agentFolder());
  await (await serviceManager()).uninstall();
  await removePrinters();
  removeState(folder);
  const tokens = existsSync(folder) ? readdirSync(folder).filter(isTokenName) : [];
  for (const name of [...fileNames, ...tokens]) rmSync(join(folder, name), { recursive: true, force: true });
  // A folder that contains other files is kept.
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  console.log(
    'The agent and its key were removed from this device. If the account still lists the device, unlink it there too.',
  );
  return 0;
}
