/** Links that open a session: the single-use kind, the kind that changes every 45 seconds, and the permanent kind. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import type { SessionOrigin } from './sessions.ts';

/** How long a single-use link may wait for its one use. */
export const linkLifetime = 300;

export const onetimePeriod = 45;
const onetimeGrace = 10;

/** The window a moment falls in; a one-time link belongs to one window. */
export const windowOf = (now: number): number => Math.floor(now / onetimePeriod);

/** The windows whose one-time link opens at a moment: its own, and the one before in the first seconds. */
export const windowsOpenAt = (now: number): number[] =>
  now % onetimePeriod < onetimeGrace ? [windowOf(now), windowOf(now) - 1] : [windowOf(now)];

/** What the code of a one-time link is made of: it opens with the rights of this person, in this window. */
export const onetimeLinkPayload = (memberId: number, window: number): string =>
  `onetime:${memberId}:${window}`;

/** What the code of an operator's URL is made of: it opens with the rights of this person. */
export const operatorLinkPayload = (memberId: number): string => `operator:${memberId}`;

/** Paths of permanent links that nobody may take, as they would read like the service's own. */
const reservedPaths = new Set(
  'admin api app assets connect docs download drawbridge health healthz help home invite login logout metrics panel preview readyz root sign-in static status support system v1 www'.split(
    ' ',
  ),
);

export const isReservedPath = (path: string): boolean => reservedPaths.has(path);

/** 8 to 256 characters with both letters and digits, of any script. */
export const isStrongPassword = (password: string): boolean =>
  isBetween([...password.normalize('NFC')].length, 8, 256) &&
  /\p{L}/u.test(password) &&
  /\p{Nd}/u.test(password);

const isBetween = (value: number, least: number, most: number): boolean => value >= least && value <= most;

/** What somebody wants of a permanent link; what is not said stays as it is. */
export interface PermanentLinkUpdate {
  enable?: boolean | undefined;
  url?: string | undefined;
  password?: string | undefined;
}

/** What a permanent link is now. */
interface PermanentLink {
  deviceId: number;
  enabled: boolean;
  path: string | null;
  hasPassword: boolean;
}

/** What a permanent link is to be. */
export interface UpdatedPermanentLink {
  enabled: boolean;
  path: string | null;
  /** Somebody could come in by it who could not before: whoever did this may know the password. */
  opensAccess: boolean;
}

/** What the permanent link of a device is to be: a link is opened only with a password, and under the device's number if no path is given. */
export function updatePermanentLink(
  link: PermanentLink,
  update: PermanentLinkUpdate,
): UpdatedPermanentLink | Fault<'invalid_password'> {
  const enabled = update.enable ?? link.enabled;
  if (enabled && update.password === undefined && !link.hasPassword)
    return fault('invalid_password', {
      field: 'permanent_url.password',
      message: 'Set a password for the link before you open it.',
    });
  const opensAccess = update.password !== undefined || (enabled && !link.enabled);
  return {
    enabled,
    path: update.url ?? link.path ?? (enabled ? String(link.deviceId) : null),
    opensAccess,
  };
}

/** A link that opens once: to a device or to an invitation, for the one who asked. */
export interface SingleUseLink {
  accountId: number;
  /** Whose rights it opens with; null for those who came by the password of the device. */
  memberId: number | null;
  origin: SessionOrigin;
  agentId: number | null;
  invitationId: number | null;
  /** Recording switched on or off for this link; null leaves it to the account's setting. */
  video: boolean | null;
}
