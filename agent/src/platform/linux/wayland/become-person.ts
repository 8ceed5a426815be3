/** Turns a process of root into one of the signed-in person, for good. */
import { NotPossible } from '../../platform.ts';
import type { WaylandSession } from './wayland-session.ts';

type Person = Pick<WaylandSession, 'uid' | 'gid'>;

/** How the service names the person to its helper. */
export const nameOfPerson = ({ uid, gid }: Person): string => `${uid}:${gid}`;

/** Other programs of the person cannot look into the process or change it: the kernel sees to that after this change of user. */
export function becomePerson(name: string): void {
  const [, uid, gid] = /^([1-9]\d*):(\d+)$/.exec(name) ?? [];
  if (uid === undefined || gid === undefined)
    throw new NotPossible('The person must be named by the numbers of user and group, such as 1000:1000.');
  process.setgroups!([]);
  process.setgid!(Number(gid));
  process.setuid!(Number(uid));
}
