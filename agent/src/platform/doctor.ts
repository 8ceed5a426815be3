/** The command that tells how the agent reaches the desktop of each signed-in person, and what is missing. */
import { agentFolder } from '../folder.ts';
import { describeFourEyes } from '../four-eyes/approver-command.ts';
import { loadApprovers } from '../four-eyes/approvers.ts';
import { findDisplays } from './linux/display.ts';
import { textOf } from './linux/inventory/system-files.ts';
import { vncSetting } from './linux/vnc/settings.ts';
import { reportSessions } from './linux/wayland/desktop.ts';
import type { PathReport } from './linux/wayland/wayland-path.ts';

/** Returns 1 if a desktop cannot be shown. */
export async function printDesktops(): Promise<number> {
  if (process.platform !== 'linux') {
    console.log('This command exists on Linux only.');
    return 1;
  }
  console.log(describeFourEyes(loadApprovers(agentFolder()).length));
  const displays = await findDisplays();
  for (const { display } of displays)
    console.log(`X11 display ${display}: used directly, unless it is XWayland.`);
  const sessions = await reportSessions();
  const names = userNames(await textOf('/etc/passwd'));
  for (const { session, compositor, paths } of sessions) {
    const person = names.get(session.uid) ?? `the user with the ID ${session.uid}`;
    const program = compositor === '' ? '' : ` (${compositor})`;
    console.log(`Wayland desktop ${session.display} of ${person}${program}:`);
    for (const line of describePaths(paths, process.env[vncSetting])) console.log(`  ${line}`);
  }
  if (displays.length + sessions.length === 0)
    console.log('Nobody is signed in to a desktop on this device.');
  return sessions.every(({ paths }) => paths.some(isUsable) || process.env[vncSetting]) ? 0 : 1;
}

const isUsable = ({ whyNot }: PathReport): boolean => whyNot === undefined;

/** The names of local users by number. */
const userNames = (passwd: string): Map<number, string> =>
  new Map(passwd.split('\n').map((line) => [Number(line.split(':')[2]), line.split(':')[0]!]));

/** One sentence for each path: used, possible, or why not; then what is missing on the path that is used. */
export function describePaths(paths: readonly PathReport[], vnc: string | undefined): string[] {
  const used = paths.find(isUsable);
  const lines = paths.flatMap((path) => {
    if (path !== used) return [`${path.name}: ${path.whyNot ?? 'possible, but a better one is used.'}`];
    return [`${path.name}: used.`, ...(path.warnings ?? []).map((warning) => `  Missing: ${warning}`)];
  });
  if (vnc) return [...lines, used ? 'VNC: not needed.' : `VNC: used, from ${vnc}.`];
  const noVnc = `VNC: not used, because ${vncSetting} is not set.`;
  return used ? [...lines, noVnc] : [...lines, noVnc, whatToDo];
}

const whatToDo = `This desktop cannot be shown. Correct what is named above; or let the person sign in to an X11 desktop; or run a VNC server on 127.0.0.1 as them, and set ${vncSetting} to its address.`;
