/** The installed program on Windows: its file in Program Files, and its entry in Apps & Features. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSea } from 'node:sea';
import { removeLater } from '../../platform/windows/remove-later.ts';
import { wideText } from '../../platform/windows/api/wide-text.ts';
import type { WindowsApi } from '../../platform/windows/api/windows-api.ts';
import { NotPossible } from '../../platform/platform.ts';
import { currentSlot } from '../../update/slots.ts';
import { agentVersion } from '../../version.ts';
import { fillSlot, ownProgramFolder } from '../program.ts';

/** Installs the running program as the service, and as the agent that the service starts. */
export async function installWindowsProgram(path: string): Promise<void> {
  if (!isSea())
    throw new NotPossible('Only the single file drawbridge-agent.exe can be installed on Windows.');
  const isInstalled = process.execPath.toLowerCase() === path.toLowerCase();
  if (!isInstalled) copyProgram(path);
  // The agent in the slot may be newer than the installed service.
  if (!ownProgramFolder() && !(isInstalled && currentSlot(dirname(path)))) await fillSlot();
}

/** A file that is in use can be renamed but not replaced, so the old one is renamed first. */
function copyProgram(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(process.execPath, `${path}.new`);
  removeOldPrograms(path);
  if (existsSync(path)) renameSync(path, `${path}.old-${Date.now()}`);
  renameSync(`${path}.new`, path);
  removeOldPrograms(path);
}

/** One that still runs stays until the next installation. */
function removeOldPrograms(path: string): void {
  for (const name of readdirSync(dirname(path)).filter((each) => each.includes('.exe.old-')))
    try {
      rmSync(join(dirname(path), name));
    } catch {
      continue;
    }
}

/** Removes the folder now, or, if this program runs from it, as soon as it has ended. */
export function removeWindowsProgram(path: string): void {
  const folder = dirname(path);
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    removeLater(folder);
  }
}

const localMachine = 0x8000_0002;
const entryKey = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\DrawbridgeAgent';
const kinds = { text: 1, number: 4 } as const;

/** Lists the program in Apps & Features, with the command that removes it. */
export function addEntry(api: WindowsApi, path: string): void {
  const set = (name: string, kind: number, bytes: Buffer): void => {
    const result = api.RegSetKeyValueW(localMachine, entryKey, name, kind, bytes, bytes.length);
    if (result !== 0)
      throw new NotPossible(`Windows refused the entry in Apps & Features (error ${result}).`);
  };
  const texts = {
    DisplayName: 'Drawbridge agent',
    DisplayVersion: agentVersion,
    DisplayIcon: path,
    Publisher: 'Drawbridge',
    InstallLocation: dirname(path),
    UninstallString: `"${path}" uninstall`,
    QuietUninstallString: `"${path}" uninstall`,
  };
  for (const [name, text] of Object.entries(texts)) set(name, kinds.text, wideText(text));
  const numbers = { EstimatedSize: Math.ceil(statSync(path).size / 1_024), NoModify: 1, NoRepair: 1 };
  for (const [name, value] of Object.entries(numbers)) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    set(name, kinds.number, bytes);
  }
}

export function removeEntry(api: WindowsApi): void {
  api.RegDeleteTreeW(localMachine, entryKey);
}
