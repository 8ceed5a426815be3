/** The installed program: two slots for versions, and a link to the one that runs. A new version is on trial until it connects. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile, syncFolder } from '../durable-file.ts';

export type Slot = 'a' | 'b';
const isWindows = process.platform === 'win32';
const fileName = isWindows ? 'drawbridge-agent.exe' : 'drawbridge-agent';
const targetOf = (slot: Slot): string => `slots/${slot}/${fileName}`;

export const otherSlot = (slot: Slot): Slot => (slot === 'a' ? 'b' : 'a');

/** The link through which the program is started. */
export const programIn = (folder: string): string => join(folder, fileName);
/** Names the slot on Windows, where links need a privilege and the program beside it is the service. */
const currentFile = (folder: string): string => join(folder, 'current');
export const slotsFolder = (folder: string): string => join(folder, 'slots');
export const slotFile = (folder: string, slot: Slot): string => join(folder, targetOf(slot));

export function createSlot(folder: string, slot: Slot): string {
  const file = slotFile(folder, slot);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

/** Undefined if the program is not installed in slots. */
export function currentSlot(folder: string): Slot | undefined {
  try {
    const target = isWindows ? readFileSync(currentFile(folder), 'utf8') : readlinkSync(programIn(folder));
    return (['a', 'b'] as const).find((slot) => targetOf(slot) === target);
  } catch {
    return undefined;
  }
}

/** Atomic and durable: at every moment a complete program is named. */
export function switchTo(folder: string, slot: Slot): void {
  if (isWindows) return replaceFile(currentFile(folder), targetOf(slot));
  const link = programIn(folder);
  rmSync(`${link}.link`, { force: true });
  symlinkSync(targetOf(slot), `${link}.link`);
  renameSync(`${link}.link`, link);
  syncFolder(folder);
}

/** A version that has not connected yet, and the slot to return to. */
export interface Trial {
  previous: Slot;
  version: string;
}

/** Plain lines, because the start script reads the first one. */
const trialFile = (folder: string): string => join(folder, 'trial');
/** Gets a line at each start of a version on trial. */
const startsFile = (folder: string): string => join(folder, 'starts');

export function beginTrial(folder: string, { previous, version }: Trial): void {
  rmSync(startsFile(folder), { force: true });
  replaceFile(trialFile(folder), `${previous}\n${version}\n`);
}

/** Removes the trial first: without it, the number of starts means nothing. */
export function endTrial(folder: string): void {
  rmSync(trialFile(folder), { force: true });
  rmSync(startsFile(folder), { force: true });
}

function readTrial(folder: string): Trial | undefined {
  if (!existsSync(trialFile(folder))) return undefined;
  const [previous, version] = readFileSync(trialFile(folder), 'utf8').split('\n');
  return version && (previous === 'a' || previous === 'b') ? { previous, version } : undefined;
}

export const isOnTrial = (folder: string): boolean => existsSync(trialFile(folder));

/** A version on trial may be started so many times. */
const maxStarts = 3;

/** The trial of the version that starts next, if it is on one and there is a version to return to. */
export function nextTrial(folder: string): Trial | undefined {
  const trial = readTrial(folder);
  if (!trial || currentSlot(folder) === trial.previous) return undefined;
  return existsSync(slotFile(folder, trial.previous)) ? trial : undefined;
}

/**
 * Counts a start, on Windows: the start script does it on Linux. Returns the trial of the version to start, if it is on one.
 * Returns to the previous version if there were too many starts.
 */
export function countStart(folder: string): Trial | undefined {
  const trial = nextTrial(folder);
  if (!trial) return undefined;
  const starts = statSync(startsFile(folder), { throwIfNoEntry: false })?.size ?? 0;
  if (starts < maxStarts) {
    appendFileSync(startsFile(folder), '\n');
    return trial;
  }
  switchTo(folder, trial.previous);
  return undefined;
}

/**
 * What an agent finds when it starts. `running`: it is the version on trial. `failed`: the version on trial was replaced by
 * this one. A trial that never started was interrupted, and is forgotten.
 */
export function settleTrial(folder: string): { state: 'none' } | ({ state: 'running' | 'failed' } & Trial) {
  const trial = readTrial(folder);
  if (trial && currentSlot(folder) !== trial.previous) return { state: 'running', ...trial };
  const hasStarted = existsSync(startsFile(folder));
  endTrial(folder);
  return trial && hasStarted ? { state: 'failed', ...trial } : { state: 'none' };
}
