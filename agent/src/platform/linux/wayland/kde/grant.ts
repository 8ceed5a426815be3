/**
 * What lets KWin grant its interfaces to the helper: a copy of the agent's program that only root can start, and a desktop file that names
 * it. KWin tells programs apart by their file, so the program itself must not be named: everyone may start that.
 */
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyProgram, removeUnfinished } from '../../../../durable-file.ts';
import { kdeKinds } from './protocol.ts';

/** Overrides the root of the file system in which the grant is placed. For tests. */
export const grantRootSetting = 'DRAWBRIDGE_AGENT_KDE_ROOT';

/** Tells the helper of the person why the copy cannot be used. */
export const grantProblemVariable = 'DRAWBRIDGE_AGENT_KDE_PROBLEM';

/** The copy is large, and what prevented it, such as a full disk, rarely ends at once. */
const copyRetryMs = 60_000;
let failedCopy: { error: unknown; at: number } | undefined;

const placeOf = (path: string): string => join(process.env[grantRootSetting] ?? '/', path);
const helperProgram = (): string => placeOf('usr/local/lib/drawbridge/desktop-helper');
const desktopFile = (): string => placeOf('usr/local/share/applications/drawbridge-desktop-helper.desktop');
const kwinPrograms = (): string[] =>
  ['usr/bin', 'usr/local/bin'].map((each) => placeOf(`${each}/kwin_wayland`));

/** KWin of Plasma 5 reads the program before it grants something, so everyone may read it. */
const onlyRootStarts = 0o744;
const [everyoneReads, everyoneOpens] = [0o644, 0o755];

/** Returns what was placed, in a few words each; nothing on a device without KWin. The agent works without it. */
export async function placeKdeGrant(): Promise<string[]> {
  if (!kwinPrograms().some((each) => existsSync(each))) return [];
  try {
    return await place();
  } catch (error) {
    return [`not placed: what shows KDE desktops without asking the person (${(error as Error).message})`];
  }
}

async function place(): Promise<string[]> {
  makeReadableFolder(dirname(helperProgram()));
  makeReadableFolder(dirname(desktopFile()));
  removeUnfinished(helperProgram());
  if (!isCurrent()) await copyHelper();
  failedCopy = undefined;
  writeFileSync(desktopFile(), desktopEntry());
  chmodSync(desktopFile(), everyoneReads);
  return [
    `${helperProgram()}: the program that shows KDE desktops`,
    `${desktopFile()}: lets KDE share the screen with that program`,
  ];
}

/** KWin runs as the person and must read it, whatever mask root uses. Folders that exist are not changed. */
function makeReadableFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let each = folder; each.length >= first.length; each = dirname(each)) chmodSync(each, everyoneOpens);
}

/** The folder stays, because KWin does not notice the removal of a whole folder. */
export function removeKdeGrant(): void {
  rmSync(desktopFile(), { force: true });
  rmSync(helperProgram(), { force: true });
  removeUnfinished(helperProgram());
}

/**
 * The program to which KWin grants its interfaces, in the version of this agent. Undefined if nothing was placed.
 * An update replaces the agent's program, and the next session the copy.
 */
export async function grantedProgram(): Promise<string | undefined> {
  if (!existsSync(desktopFile())) return undefined;
  if (!isCurrent()) await copyUnlessFailed();
  return helperProgram();
}

/** The time of the last change is copied in whole seconds. A copy is never unfinished, so size and time tell which version it is. */
function isCurrent(): boolean {
  const own = statSync('/proc/self/exe');
  const seconds = Math.floor(own.mtimeMs / 1_000);
  const copy = statSync(helperProgram(), { throwIfNoEntry: false });
  return copy?.size === own.size && copy.mtimeMs === seconds * 1_000;
}

/** Fails with the same error for a while after a copy has failed. */
async function copyUnlessFailed(): Promise<void> {
  if (failedCopy && performance.now() - failedCopy.at < copyRetryMs) throw failedCopy.error;
  failedCopy = undefined;
  try {
    await copyHelper();
  } catch (error) {
    failedCopy = { error, at: performance.now() };
    throw error;
  }
}

const copyHelper = (): Promise<void> => copyProgram('/proc/self/exe', helperProgram(), onlyRootStarts);

/** KWin compares the path with that of the running program, in which links are resolved. */
const desktopEntry = (): string => `[Desktop Entry]
Type=Application
Name=Drawbridge
Exec=${realpathSync(helperProgram())}
NoDisplay=true
X-KDE-Wayland-Interfaces=${Object.values(kdeKinds).join(',')}
`;
