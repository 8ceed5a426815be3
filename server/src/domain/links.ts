/** Links that open a session: the single-use kind, the kind that changes every 45 seconds, and the permanent kind. */

/** How long a single-use link may wait for its one use. */
export const linkLifetime = 300;

export const onetimePeriod = 45;
const onetimeGrace = 10;

/** The window a moment falls in; a one-time link belongs to one window. */
export const windowOf = (now: number): number => Math.floor(now / onetimePeriod);

/** The windows whose one-time link opens at a moment: its own, and the one before in the first seconds. */
export const windowsOpenAt = (now: number): number[] =>
  now % onetimePeriod < onetimeGrace ? [windowOf(now), windowOf(now) - 1] : [windowOf(now)];

/** Paths of permanent links that nobody may take, as they would read like the service's own. */
const reserved = new Set(
  'admin api app assets connect docs download drawbridge health healthz help home invite login logout metrics panel preview readyz root sign-in static status support system v1 www'.split(
    ' ',
  ),
);

export const isReservedPath = (path: string): boolean => reserved.has(path);

/** At least 8 characters with both letters and digits, of any script. */
export const isStrongPassword = (password: string): boolean =>
  [...password.normalize('NFC')].length >= 8 && /\p{L}/u.test(password) && /\p{Nd}/u.test(password);

/** A link that opens once: to a device or to an invitation, for the one who asked. */
export interface SingleUseLink {
  accountId: number;
  memberId: number;
  agentId: number | null;
  invitationId: number | null;
  /** Recording switched on or off for this link; null leaves it to the account's setting. */
  video: boolean | null;
}
