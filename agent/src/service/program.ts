/** The installed program of the agent: where it is stored, and the command that starts it. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isSea } from 'node:sea';
import { copyProgram, removeUnfinished } from '../durable-file.ts';
import { windowsProgramPath } from '../folder.ts';
import {
  createSlot,
  currentSlot,
  endTrial,
  otherSlot,
  programIn,
  slotFile,
  slotsFolder,
  switchTo,
} from '../update/slots.ts';
import { startScript, startScriptName } from '../update/start-script.ts';

const isWindows = process.platform === 'win32';
const programFolder = isWindows ? dirname(windowsProgramPath()) : '/usr/local/lib/drawbridge';
/** Makes `drawbridge-agent status` available. */
const linkPath = '/usr/local/bin/drawbridge-agent';

/** The folder with the slots of the running program; undefined if it was not started from one. */
export function ownProgramFolder(): string | undefined {
  const slot = isSea() ? currentSlot(programFolder) : undefined;
  return slot && process.execPath === slotFile(programFolder, slot) ? programFolder : undefined;
}

/** Installs the single-file build and returns the command that starts it. */
export async function installProgram(): Promise<string[]> {
  if (!isSea()) return [process.execPath, process.argv[1]!, 'agent'];
  if (!ownProgramFolder()) await fillSlot();
  writeFileSync(join(programFolder, startScriptName), startScript);
  chmodSync(join(programFolder, startScriptName), 0o755);
  mkdirSync(dirname(linkPath), { recursive: true });
  rmSync(linkPath, { force: true });
  symlinkSync(programIn(programFolder), linkPath);
  return [join(programFolder, startScriptName)];
}

/** Where the program is, for the person who has installed it; nothing if it runs from a checkout. */
export const placedProgram = (): string[] =>
  isSea() ? [`${programFolder}: the program`, `${linkPath}: the command`] : [];

/** The command that tells how each signed-in person's desktop is reached, from the installed program, which every user may run. */
export const desktopReportCommand = (): string[] =>
  isSea() ? [linkPath, 'doctor'] : [process.execPath, process.argv[1]!, 'agent', 'doctor'];

/** Copies the running program. On Linux the file at its path may have been replaced since the start. */
export async function fillSlot(folder = programFolder): Promise<void> {
  for (const slot of ['a', 'b'] as const) removeUnfinished(slotFile(folder, slot));
  const current = currentSlot(folder);
  const slot = current ? otherSlot(current) : 'a';
  await copyProgram(isWindows ? process.execPath : '/proc/self/exe', createSlot(folder, slot), 0o755);
  switchTo(folder, slot);
  endTrial(folder); // a person has chosen this version
}

/** A running program can be removed; it keeps running until it ends. */
export function removeProgram(): void {
  rmSync(linkPath, { force: true });
  rmSync(programIn(programFolder), { force: true });
  rmSync(join(programFolder, startScriptName), { force: true });
  rmSync(slotsFolder(programFolder), { recursive: true, force: true });
  endTrial(programFolder);
  if (existsSync(programFolder) && readdirSync(programFolder).length === 0) rmdirSync(programFolder);
}
