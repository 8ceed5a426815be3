/** Notices changes of monitors and screen size on a display, also those for which the display sends no event. */
import type { X11Connection } from './connection.ts';
import { listMonitors } from './layout.ts';

const changes = { screen: 1, crtc: 2, output: 4 } as const;
/** X servers send no event when a program removes a monitor that it had defined. */
const pollMs = 1_000;

interface Watch {
  listeners: Set<() => void>;
  /** Checks the monitors; with `isAnnounced` the listeners are called in any case. */
  check(isAnnounced: boolean): Promise<void>;
}

/** One for each display. */
const watches = new WeakMap<X11Connection, Watch>();

/** Calls the listener when monitors, outputs or the screen size change; the returned function unsubscribes. */
export function watchLayout(connection: X11Connection, listener: () => void): () => void {
  const watch = watches.get(connection) ?? startWatch(connection);
  // Listeners are told apart even if they are the same function.
  const own = (): void => listener();
  watch.listeners.add(own);
  return () => void watch.listeners.delete(own);
}

function startWatch(connection: X11Connection): Watch {
  const watch = createWatch(connection);
  watches.set(connection, watch);
  void watch.check(false);
  void listenForEvents(connection, () => void watch.check(true));
  const timer = setInterval(() => {
    if (watch.listeners.size > 0) void watch.check(false);
  }, pollMs).unref();
  connection.onClose(() => clearInterval(timer));
  return watch;
}

function createWatch(connection: X11Connection): Watch {
  const listeners = new Set<() => void>();
  let known: string | undefined;
  let isChecking = false;
  return {
    listeners,
    async check(isAnnounced) {
      // A display that hangs must not collect requests.
      if (isChecking && !isAnnounced) return;
      isChecking = true;
      const before = known;
      known = (await readMonitors(connection)) ?? before;
      isChecking = false;
      if (isAnnounced || (before !== undefined && known !== before))
        for (const listener of listeners) listener();
    },
  };
}

/** Undefined if the display does not answer or has no RandR extension. */
async function readMonitors(connection: X11Connection): Promise<string | undefined> {
  try {
    return JSON.stringify(await listMonitors(connection, await connection.extension('randr')));
  } catch {
    return undefined;
  }
}

async function listenForEvents(connection: X11Connection, listener: () => void): Promise<void> {
  const randr = await connection.extension('randr').catch(() => undefined);
  if (!randr) return;
  randr.SelectInput(connection.root, changes.screen | changes.crtc | changes.output);
  const kinds = [randr.firstEvent, randr.firstEvent + 1];
  connection.onEvent(({ type }) => {
    if (kinds.includes(type)) listener();
  });
}
