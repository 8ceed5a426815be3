/** Links that open a session: single-use links, one-time links that change every 45 seconds, and permanent links. */
import { fault, faults, type Fault } from '@drawbridge/contract/faults';
import type { Policy } from '@drawbridge/contract/policy';
import { passwordLength } from '@drawbridge/contract/choices';
import type { ProviderSignIn } from '../people/provider.ts';
import type { SessionOrigin } from './sessions.ts';

/** How long a single-use link is valid. */
export const linkLifetime = 300;

const onetimePeriod = 45;
const onetimeGrace = 10;

/** The window of a moment; a one-time link belongs to one window. */
export const windowOf = (now: number): number => Math.floor(now / onetimePeriod);
export const windowEnds = (now: number): number => (windowOf(now) + 1) * onetimePeriod;

/** The windows whose one-time link works at a moment: the current one, and the previous one in the first seconds. */
export const windowsOpenAt = (now: number): number[] =>
  now % onetimePeriod < onetimeGrace ? [windowOf(now), windowOf(now) - 1] : [windowOf(now)];

/** The text from which the code of a one-time link is derived: it opens with the rights of this person, in this window. */
export const onetimeLinkPayload = (memberId: number, window: number): string =>
  `onetime:${memberId}:${window}`;

/** The text from which the code of an operator's URL is derived: it opens with the rights of this person. */
export const operatorLinkPayload = (memberId: number): string => `operator:${memberId}`;

/** Paths that permanent links cannot use, because they would look like those of the service. */
const reservedPaths = new Set(
  'admin api app assets connect docs download drawbridge health healthz help home invite login logout metrics panel preview readyz root sign-in static status support system v1 www'.split(
    ' ',
  ),
);

export const isReservedPath = (path: string): boolean => reservedPaths.has(path);

/** Why a password cannot be used; undefined for one with letters and digits of any script in a permitted length. */
export function passwordProblem(password: string): string | undefined {
  const length = [...password.normalize('NFC')].length;
  const { least, most } = passwordLength;
  if (length > most) return `The password must have at most ${most} characters.`;
  const isMixed = /\p{L}/u.test(password) && /\p{Nd}/u.test(password);
  return length >= least && isMixed ? undefined : faults.invalid_password.says;
}

/** The requested changes of a permanent link; absent fields stay as they are. */
export interface PermanentLinkUpdate {
  enable?: boolean | undefined;
  url?: string | undefined;
  password?: string | undefined;
}

/** The current permanent link. */
interface PermanentLink {
  deviceId: number;
  enabled: boolean;
  path: string | null;
  hasPassword: boolean;
}

/** The permanent link after the change. */
export interface UpdatedPermanentLink {
  enabled: boolean;
  path: string | null;
  /** Whether the change may give somebody access: anyone who made it may know the password. */
  opensAccess: boolean;
}

/**
 * Applies a change to a permanent link. It can be enabled only with a password, and uses the device's number if no path
 * is given.
 */
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

/** The one-time link of a device, for one person and one time window. */
export interface OnetimeLink {
  accountId: number;
  agentId: number;
  memberId: number;
  window: number;
}

/** A link that works once: to a device or to an invitation, for the person who requested it. */
export interface SingleUseLink {
  accountId: number;
  /** The person whose rights it opens with; null for those who used the password of the device. */
  memberId: number | null;
  origin: SessionOrigin;
  agentId: number | null;
  invitationId: number | null;
  /** Turns recording on or off for this link; null uses the account's setting. */
  video: boolean | null;
  /** How the person signed in to the panel, if they created it there and with an identity provider. */
  signIn?: ProviderSignIn | undefined;
}

/** Whether a session with this link is recorded: the policy decides, or else the link, or else the setting of the account. */
export const isRecorded = (
  { video }: Pick<SingleUseLink, 'video'>,
  account: { record: boolean },
  policy: Policy['recording'],
): boolean => (policy === 'allowed' ? (video ?? account.record) : policy === 'always');
