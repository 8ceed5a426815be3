/** The names and numbers of KWin's own Wayland protocols. Requests and events are numbered apart. */

/** The name of the path for people. */
export const kdeName = 'KDE';

/** KWin hides these from programs that it does not trust. */
export const kdeKinds = {
  screencast: 'zkde_screencast_unstable_v1',
  fakeInput: 'org_kde_kwin_fake_input',
  keyState: 'org_kde_kwin_keystate',
} as const;

/** Without these the desktop cannot be shown and used. */
export const requiredKdeKinds: readonly string[] = [kdeKinds.screencast, kdeKinds.fakeInput];

/** Offered by every KWin, to every program. */
export const kwinKind = 'org_kde_plasma_shell';

export const screencast = {
  version: 3,
  streamOutput: 0,
  /** The pointer is described beside the picture. */
  pointerBeside: 4,
  close: 0,
  /** Events. */
  closed: 0,
  created: 1,
  failed: 2,
} as const;

/** `locked`: a state; the others are requests and keys. */
export const keyState = { version: 1, fetch: 0, capsLock: 0, numLock: 1, locked: 2 } as const;

export const fakeInput = { version: 4, authenticate: 0, button: 2, axis: 3, move: 9, key: 10 } as const;
