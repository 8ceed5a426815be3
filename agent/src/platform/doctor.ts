/** The command that tells how the agent reaches the desktop of each signed-in person, and what is missing. */
import { findDisplays } from './linux/display.ts';
import { vncSetting } from './linux/vnc/settings.ts';
import { reportSessions } from './linux/wayland/desktop.ts';
import type { PathReport } from './linux/wayland/wayland-path.ts';

/** Returns 1 if a desktop cannot be shown. */
export async function printDesktops(): Promise<number> {
  if (process.platform !== 'linux') {
    console.log('This command exists on Linux only.');
    return 1;
  }
  const displays = await findDisplays();
  for (const { display } of displays)
    console.log(`X11 display ${display}: used directly, unless it is XWayland.`);
  const sessions = await reportSessions();
  for (const { session, paths } of sessions) {
    console.log(`Wayland desktop ${session.display} of the user with the ID ${session.uid}:`);
    for (const line of describePaths(paths, process.env[vncSetting])) console.log(`  ${line}`);
  }
  if (displays.length + sessions.length === 0)
    console.log('Nobody is signed in to a desktop on this device.');
  return sessions.every(({ paths }) => paths.some(isUsable) || process.env[vncSetting]) ? 0 : 1;
}

const isUsable = ({ whyNot }: PathReport): boolean => whyNot === undefined;

/** One sentence for each path: used, possible, or why not. */
export function describePaths(paths: readonly PathReport[], vnc: string | undefined): string[] {
  const used = paths.find(isUsable);
  const lines = paths.map((path) => {
    if (path === used) return `${path.name}: used.`;
    return `${path.name}: ${path.whyNot ?? 'possible, but a better one is used.'}`;
  });
  if (!vnc) return [...lines, `VNC: not used, because ${vncSetting} is not set.`];
  return [...lines, used ? 'VNC: not needed.' : `VNC: used, from ${vnc}.`];
}
