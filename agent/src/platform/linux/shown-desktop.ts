/**
 * The desktop that all sessions show: chosen when the first of them needs it, and kept until the last one closes it or
 * another person takes over the screen. Without that, one session could show two people.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Desktop, DesktopInput } from '../desktop.ts';
import { refCounted, type Closable } from '../helper/ref-counted.ts';
import { withSizeRestored } from '../marks/screen-size.ts';
import { NotPossible } from '../platform.ts';
import { withReachableDrags } from './drag/reachable-drags.ts';
import { acquireVnc, openScreenSource, releaseScreenSource, type ScreenSource } from './screen-source.ts';
import { desktopsInFront, ownerOf, watchTakeover } from './seat-takeover.ts';
import { watchLock } from './lock-watch.ts';
import { setShownPerson, shownPerson } from './shown-person.ts';
import { createVncDesktop } from './vnc/desktop.ts';
import { openWaylandDesktop, type OpenedDesktop } from './wayland/desktop.ts';
import { keyOfSession } from './wayland/wayland-session.ts';
import { createX11Desktop } from './x11/desktop.ts';

interface ShownDesktop extends Closable {
  /** Opens the same desktop for one more user. Refuses while its users leave it. */
  open(): Promise<OpenedDesktop>;
  /** Called when the desktop of another person came to the front. The returned function unsubscribes. */
  onTaken(listener: () => void): () => void;
}

const takenOver =
  'Another person has taken over the screen of the device, or its login screen is in front now.';
const restoreTimeoutMs = 1_000;

const acquireShown = refCounted(chooseDesktop);

export async function openShownDesktop(): Promise<Desktop> {
  const { value: shown, release } = await acquireShown();
  try {
    const opened = await shown.open();
    const desktop = withNotes(withSizeRestored(withReachableDrags(opened)), opened.lockedNote);
    return untilTaken(desktop, shown, release);
  } catch (error) {
    release();
    throw error;
  }
}

async function chooseDesktop(): Promise<ShownDesktop> {
  const before = await desktopsInFront();
  const source = await openScreenSource();
  const forgetPerson = setShownPerson(await ownerOf(keyOf(source)));
  const takenListeners = new Set<() => void>();
  let isTaken = false;
  const stop = watchTakeover(keyOf(source), before, () => {
    isTaken = true;
    for (const listener of takenListeners) listener();
  });
  return {
    async open() {
      if (isTaken) throw new NotPossible(takenOver, { isBrief: true });
      const opened = await openSource(source);
      if (!isTaken) return opened;
      opened.close();
      throw new NotPossible(takenOver, { isBrief: true });
    },
    onClose: (listener) => onSourceClose(source, listener),
    onTaken(listener) {
      takenListeners.add(listener);
      return () => takenListeners.delete(listener);
    },
    close() {
      stop();
      forgetPerson();
      releaseScreenSource(source);
    },
  };
}

function keyOf(source: ScreenSource): string {
  if (source.wayland) return keyOfSession(source.session);
  return (source.vnc ? source.xwayland : source.display).value.display;
}

function onSourceClose(source: ScreenSource, listener: () => void): void {
  if (source.wayland) return source.wayland.onClose(listener);
  // The banner stays while a VNC server starts again.
  (source.vnc ? source.xwayland : source.display).value.onClose(listener);
}

/** The source holds the connections, so its users need not. */
const shared = <Value>({ value }: { value: Value }): { value: Value; release(): void } => ({
  value,
  release: () => {},
});

async function openSource(source: ScreenSource): Promise<OpenedDesktop> {
  if (source.wayland) return openWaylandDesktop(source.session);
  if (!source.vnc) return createX11Desktop(shared(source.display));
  return createVncDesktop(await acquireVnc(), shared(source.xwayland));
}

/** Tells operators when the screen is locked, on desktops that do not say so themselves. */
function withNotes(desktop: Desktop, lockedNote: string | undefined): Desktop {
  const uid = shownPerson();
  if (lockedNote === undefined || uid === undefined) return desktop;
  const stops: (() => void)[] = [];
  return {
    ...desktop,
    onNote: (listener) => void stops.push(watchLock(uid, () => listener(lockedNote))),
    close() {
      for (const stop of stops) stop();
      desktop.close();
    },
  };
}

/** Closes the desktop with a sentence when another person takes over, after everything that is pressed was released. */
function untilTaken(desktop: Desktop, shown: ShownDesktop, release: () => void): Desktop {
  const inputs = new Set<DesktopInput>();
  const listeners: ((why?: string) => void)[] = [];
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    unsubscribe();
    desktop.close();
    release();
  };
  const lose = (why?: string): void => {
    if (!isOpen) return;
    for (const listener of listeners) listener(why);
    close();
  };
  const leave = async (): Promise<void> => {
    for (const input of inputs) input.reset();
    const restored = desktop.restoreSize().catch(() => {});
    await Promise.race([restored, pause(restoreTimeoutMs, undefined, { ref: false })]);
    lose(takenOver);
  };
  const unsubscribe = shown.onTaken(() => void leave());
  desktop.onClose(lose);
  return {
    ...desktop,
    onClose: (listener) => void listeners.push(listener),
    async input() {
      const input = await desktop.input();
      inputs.add(input);
      return { ...input, close: () => (inputs.delete(input), input.close()) };
    },
    close,
  };
}
