/** The people of an account and the keys they hold. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import type { Actor } from './access.ts';
import type { Plan } from './plan.ts';

export interface Member {
  id: number;
  accountId: number;
  email: string;
  /** Empty if they have not given one. */
  name: string;
  owner: boolean;
  state: 'invited' | 'active' | 'disabled';
  createTime: number;
}

export interface ApiKey {
  id: number;
  memberId: number;
  email: string;
  name: string;
  prefix: string;
  createTime: number;
  expireTime: number | null;
  lastUsedTime: number | null;
  networks: readonly string[];
}

/** When a key expires, and the networks it works from; without limits where nothing is set. */
export type KeyLimits = Pick<ApiKey, 'expireTime' | 'networks'>;

/** A key with its holder, as needed to decide whether a request may proceed. */
export interface KeyHolder {
  keyId: number;
  expireTime: number | null;
  revoked: boolean;
  networks: readonly string[];
  lastUsedTime: number | null;
  actor: Actor;
  plan: Plan;
  ownerEmail: string;
  /** The version of the account's rights with which the grants were loaded, or an earlier one. */
  rightsVersion: number;
}

export const isExpired = (key: { expireTime: number | null }, now: number): boolean =>
  key.expireTime !== null && key.expireTime <= now;

/** A key is usable while it is neither revoked nor expired. */
export const isUsable = (holder: KeyHolder, now: number): boolean =>
  !holder.revoked && !isExpired(holder, now);

/**
 * The limits of a key that is created with another key: what is not set is inherited from that key, and nothing may
 * exceed it.
 */
export function deriveKeyLimits(own: KeyLimits, requested: KeyLimits): KeyLimits | Fault<'invalid'> {
  const expireTime = requested.expireTime ?? own.expireTime;
  const networks = requested.networks.length > 0 ? requested.networks : own.networks;
  if (own.expireTime !== null && expireTime !== null && expireTime > own.expireTime)
    return fault('invalid', {
      field: 'expires',
      message: 'A key cannot expire later than the key that creates it.',
    });
  if (own.networks.length > 0 && networks.some((each) => !own.networks.includes(each)))
    return fault('invalid', {
      field: 'networks',
      message: 'A key can allow only networks that the key that creates it allows too.',
    });
  return { expireTime, networks };
}

/** How many characters of a key are shown in lists, so that people can tell their keys apart. */
export const visiblePrefixLength = 6;

/** How long a technician's invitation and a first sign-in link are valid. */
export const inviteLifetime = 7 * 86_400;
export const signInLifetime = 86_400;
/** How long a password reset link is valid. */
export const resetLifetime = 3_600;
