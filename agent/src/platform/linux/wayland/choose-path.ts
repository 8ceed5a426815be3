/** Chooses the path to the Wayland desktop of this process, and says why others cannot be used. */
import { NotPossible } from '../../platform.ts';
import type { FrameMemory } from './frame-memory.ts';
import { gnomePath } from './mutter/path.ts';
import { portalPath } from './portal/path.ts';
import {
  pathSetting,
  type PathReport,
  type RestoreTokens,
  type WaylandDesktop,
  type WaylandPath,
} from './wayland-path.ts';
import { wlrootsPath } from './wlroots/path.ts';

/** The best first. */
const allPaths: readonly WaylandPath[] = [gnomePath, wlrootsPath, portalPath];

function waylandPaths(): readonly WaylandPath[] {
  const wanted = process.env[pathSetting];
  return wanted ? allPaths.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase()) : allPaths;
}

/** Asks all paths, also those after the one that will be used. */
export const reportPaths = (): Promise<PathReport[]> =>
  Promise.all(
    waylandPaths().map(async (path) => {
      const whyNot = await path.whyNot();
      if (whyNot !== undefined) return { name: path.name, whyNot };
      const warnings = await path.warnings();
      return { name: path.name, ...(warnings.length > 0 && { warnings }) };
    }),
  );

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
