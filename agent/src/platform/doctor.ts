/** The command that tells how the agent reaches the desktop of each signed-in person, and what is missing there and for sound and printing. */
import { agentFolder } from '../folder.ts';
import { describeFourEyes } from '../four-eyes/approver-command.ts';
import { loadApprovers } from '../four-eyes/approvers.ts';
import { describeParts } from './linux/device-parts.ts';
import { reportDisplays } from './linux/display-report.ts';
import { textOf } from './linux/inventory/system-files.ts';
import { vncSetting } from './linux/vnc/settings.ts';
import { isScreenLocked } from './linux/lock-watch.ts';
import { reportSessions, type SessionReport } from './linux/wayland/desktop.ts';
import type { PathReport } from './linux/wayland/wayland-path.ts';

/** Returns 1 if a desktop cannot be shown. */
export async function printDesktops(): Promise<number> {
  if (process.platform !== 'linux') {
    console.log('This command exists on Linux only.');
    return 1;
  }
  console.log(describeFourEyes(loadApprovers(agentFolder()).length));
  const { lines, isComplete } = await describeDesktops();
  for (const line of lines) console.log(line);
  return isComplete ? 0 : 1;
}

/** `isComplete`: every desktop of the device can be shown. */
export async function describeDesktops(): Promise<{ lines: string[]; isComplete: boolean }> {
  const sessions = await reportSessions();
  const displays = await reportDisplays(sessions.map(({ session }) => session));
  const names = userNames(await textOf('/etc/passwd'));
  const ofSessions = await Promise.all(sessions.map((each) => describeSession(each, names)));
  const isEmpty = displays.length + sessions.length === 0;
  const isShown = sessions.every(({ paths }) => paths.some(isUsable) || process.env[vncSetting]);
  return {
    lines: [
      ...displays.map(({ line }) => line),
      ...ofSessions.flat(),
      ...(isEmpty ? ['Nobody is signed in to a desktop on this device.'] : []),
      ...(await describeParts()),
    ],
    isComplete: isShown && (isEmpty || sessions.length > 0 || displays.some((each) => each.isUsable)),
  };
}

async function describeSession(
  { session, compositor, paths }: SessionReport,
  names: Map<number, string>,
): Promise<string[]> {
  const person = names.get(session.uid) ?? `the user with the ID ${session.uid}`;
  const program = compositor === '' ? '' : ` (${compositor})`;
  const isLocked = await isScreenLocked(session.uid);
  return [
    `Wayland desktop ${session.display} of ${person}${program}:`,
    ...describePaths(paths, process.env[vncSetting]).map((line) => `  ${line}`),
    ...(isLocked ? [`  ${describeLocked(paths.find(isUsable)?.name)}`] : []),
  ];
}

const describeLocked = (used: string | undefined): string =>
  used === 'wlroots'
    ? 'The screen is locked. Operators see the lock screen.'
    : 'The screen is locked. Operators see it when somebody has unlocked it at the device.';

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
