/** Notices when another person takes over the screen of the device, for example by switching users without signing out. */
import { execute } from '../execute.ts';
import { displayRank, listDisplays } from './display.ts';
import { seatLogins, type Login } from './inventory/logins.ts';
import {
  keyOfSession,
  listWaylandSessions,
  sessionRank,
  type WaylandSession,
} from './wayland/wayland-session.ts';

interface ReachableDesktop {
  /** The name of an X11 display, or what `keyOfSession` says. */
  key: string;
  uid: number | undefined;
  rank(logins: readonly Login[]): number;
}

async function reachableDesktops(): Promise<ReachableDesktop[]> {
  const [displays, sessions] = await Promise.all([listDisplays(), listWaylandSessions()]);
  return [
    ...displays.map((each) => ({
      key: each.display,
      uid: each.uid,
      rank: (logins: readonly Login[]) => displayRank(each, logins),
    })),
    ...sessions.map((each) => ({
      key: keyOfSession(each),
      uid: each.uid,
      rank: (logins: readonly Login[]) => sessionRank(each, logins),
    })),
  ];
}

/** The keys of all desktops that are in front at a seat; empty if nobody could have changed the user. */
export async function desktopsInFront(): Promise<ReadonlySet<string>> {
  const reachable = await reachableDesktops();
  // The login manager is asked only where it matters, because each question starts programs. Displays of root can be anybody's.
  const owners = new Set(reachable.map(({ uid }) => uid || {}));
  if (owners.size < 2) return new Set();
  const logins = await seatLogins(execute);
  return new Set(reachable.filter(({ rank }) => rank(logins) === 0).map(({ key }) => key));
}

/** Only root reaches the desktops of others, and not if it was started for one of them. */
const isBound = (): boolean =>
  process.getuid!() !== 0 || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);

/** Whether a Wayland desktop is in front and this X11 display is not. */
export async function isBehindWayland(
  display: string,
  session: WaylandSession | undefined,
): Promise<boolean> {
  if (!session || isBound()) return false;
  const front = await desktopsInFront();
  return front.has(keyOfSession(session)) && !front.has(display);
}

/** Whose desktop it is; undefined if that is not known, as for a display of root. */
export const ownerOf = async (key: string): Promise<number | undefined> =>
  (await reachableDesktops()).find((each) => each.key === key)?.uid || undefined;

const watchMs = 2_000;

/**
 * Calls back once when this desktop is no longer in front and one is that was not among `before`: a desktop that was in
 * front when this one was chosen could not be opened. The returned function stops watching.
 */
export function watchTakeover(key: string, before: ReadonlySet<string>, onTaken: () => void): () => void {
  if (isBound()) return () => {};
  let known = before;
  const check = async (): Promise<void> => {
    const front = await desktopsInFront();
    const isTaken = !front.has(key) && !front.isSubsetOf(known);
    known = front;
    if (!isTaken || isStopped) return;
    stop();
    onTaken();
  };
  let [isStopped, isChecking] = [false, false];
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void check().finally(() => (isChecking = false));
  }, watchMs).unref();
  const stop = (): void => {
    isStopped = true;
    clearInterval(timer);
  };
  return stop;
}
