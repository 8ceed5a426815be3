/** Whether a group has no members other than the user that the agent runs as. */
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/**
 * For root the group 0. For another user their primary group, if it is a user private group as Debian and others create
 * them: it has the user's name, no other members, and is nobody else's primary group. Many systems have a shared primary
 * group instead, such as `users` or `staff`. A group that is not in `/etc/group` may have any members.
 */
export function isOwnGroup(gid: number): boolean {
  if (process.geteuid?.() === 0) return gid === 0;
  if (gid !== process.getegid?.()) return false;
  try {
    const { username, uid } = userInfo();
    const isOthers = entriesOf('/etc/passwd').some(
      ([, , id, primary]) => primary === `${gid}` && id !== `${uid}`,
    );
    const groups = entriesOf('/etc/group').filter(([, , id]) => id === `${gid}`);
    const isUsers = ([name, , , members]: string[]): boolean =>
      name === username && (members ?? '').split(',').every((each) => each === '' || each === username);
    return !isOthers && groups.length > 0 && groups.every(isUsers);
  } catch {
    return false; // no such user or file
  }
}

const entriesOf = (file: string): string[][] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
