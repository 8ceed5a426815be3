/** Notices when another person takes over the screen of the device, for example by switching users without signing out. */
import { execute } from '../execute.ts';
import { displayRank, listDisplays } from './display.ts';
import { followLogins } from './inventory/follow-logins.ts';
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

/** Only with several people somebody can have changed the user. Displays of root can be anybody's. */
const haveSeveralOwners = (reachable: readonly ReachableDesktop[]): boolean =>
  new Set(reachable.map(({ uid }) => uid || {})).size > 1;

const inFront = (reachable: readonly ReachableDesktop[], logins: readonly Login[]): ReadonlySet<string> =>
  new Set(reachable.filter(({ rank }) => rank(logins) === 0).map(({ key }) => key));

/** The keys of all desktops that are in front at a seat; empty if nobody could have changed the user. */
export async function desktopsInFront(): Promise<ReadonlySet<string>> {
  const reachable = await reachableDesktops();
  // The login manager is asked only where it matters, because each question starts programs.
  return haveSeveralOwners(reachable) ? inFront(reachable, await seatLogins(execute)) : new Set();
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

const lateMs = 2_000;

/**
 * Calls back once when this desktop is no longer in front and one is that was not among `before`: a desktop that was in
 * front when this one was chosen could not be opened. The returned function stops watching.
 */
export function watchTakeover(key: string, before: ReadonlySet<string>, onTaken: () => void): () => void {
  if (isBound()) return () => {};
  let known = before;
  const check = async (logins: readonly Login[]): Promise<void> => {
    const reachable = await reachableDesktops();
    if (isStopped) return;
    const front = inFront(reachable, logins);
    late.watch(logins.length > 0 && !front.has(key) ? keysOf(reachable) : undefined);
    const wasKnown = front.isSubsetOf(known);
    known = haveSeveralOwners(reachable) ? front : new Set();
    if (front.has(key) || wasKnown || known.size === 0) return;
    stop();
    onTaken();
  };
  const followed = followLogins(check);
  const late = watchLateDesktops(followed.ask);
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    followed.stop();
    late.watch(undefined);
  };
  return stop;
}

const keysOf = (reachable: readonly ReachableDesktop[]): string => reachable.map(({ key }) => key).join();

interface LateDesktops {
  /** Undefined stops watching. */
  watch(keys: string | undefined): void;
}

/**
 * A desktop can appear after its login came to the front, of which the login manager says nothing. Folders of sockets are
 * read only until then: while the shown desktop is in front, another one that appears does not matter.
 */
function watchLateDesktops(onLate: () => void): LateDesktops {
  let known: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const keys = keysOf(await reachableDesktops());
    if (known === undefined || keys === known) return;
    // The question is repeated until it is answered, so this change causes no other one.
    known = keys;
    onLate();
  };
  return {
    watch(keys) {
      known = keys;
      if (keys !== undefined) {
        timer ??= setInterval(() => void look(), lateMs).unref();
        return;
      }
      clearInterval(timer);
      timer = undefined;
    },
  };
}
