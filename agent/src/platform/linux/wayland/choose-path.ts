/** Chooses the path to the Wayland desktop of this process, and says why others cannot be used. */
import { NotPossible } from '../../platform.ts';
import type { FrameMemory } from './frame-memory.ts';
import { kdePath } from './kde/path.ts';
import { gnomePath } from './mutter/path.ts';
import { portalPath } from './portal/path.ts';
import {
  isWantedPath,
  type PathReport,
  type RestoreTokens,
  type WaylandDesktop,
  type WaylandPath,
} from './wayland-path.ts';
import { wlrootsPath } from './wlroots/path.ts';

/** The best first. */
const allPaths: readonly WaylandPath[] = [gnomePath, wlrootsPath, kdePath, portalPath];

const waylandPaths = (): readonly WaylandPath[] => allPaths.filter(({ name }) => isWantedPath(name));

/**
 * Asks all paths, also those after the one that will be used. One after the other, because the desktop stops for a moment while KWin reads
 * the program that asks.
 */
export async function reportPaths(): Promise<PathReport[]> {
  const reports: PathReport[] = [];
  for (const path of waylandPaths()) reports.push(await reportOf(path));
  return reports;
}

async function reportOf(path: WaylandPath): Promise<PathReport> {
  const { name } = path;
  const whyNot = await path.whyNot();
  if (whyNot !== undefined) return { name, whyNot };
  const warnings = await path.warnings();
  return { name, ...(warnings.length > 0 && { warnings }) };
}

/** Opens the desktop by the first path that can be used; otherwise the message says why each one cannot. */
export async function openByPath(memory: FrameMemory, tokens: RestoreTokens): Promise<WaylandDesktop> {
  const reasons: string[] = [];
  for (const path of waylandPaths()) {
    const whyNot = await path.whyNot();
    if (whyNot === undefined) return path.open(memory, tokens);
    reasons.push(whyNot);
  }
  throw new NotPossible(`The Wayland desktop of the device cannot be shown directly. ${reasons.join(' ')}`);
}
