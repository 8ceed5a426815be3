/** What is read about provisioning by SCIM. */
import type { Actor } from '../../../domain/people/access.ts';
import type { ScimGroup } from '../../../domain/scim/group.ts';
import type { ScimUser } from '../../../domain/scim/user.ts';

export interface ListedScimToken {
  id: number;
  name: string;
  prefix: string;
  /** Who created it: it can do nothing that this person may not do. */
  email: string;
  createTime: number;
  expireTime: number | null;
  lastUsedTime: number | null;
  /** The person who created it as the access rules see them; undefined if they are disabled. */
  actor: Actor | undefined;
}

/** A token as a request presents it. */
interface ScimTokenHolder {
  id: number;
  accountId: number;
  name: string;
  expireTime: number | null;
  lastUsedTime: number | null;
  actor: Actor | undefined;
}

/** A part of a list: those after an id, or those at an offset. */
export interface ScimSlice {
  after?: number;
  offset?: number;
  limit: number;
}

/** Values that a person must have. */
export interface UserLookup {
  ids?: readonly number[];
  userName?: string;
  externalId?: string;
}

/** Values that a group must have. */
export interface GroupLookup {
  ids?: readonly number[];
  name?: string;
  externalId?: string;
  memberId?: number;
}

interface ScimLink {
  id: number;
  name: string;
}

/** The lists of several items, read up to a limit of rows. */
export interface BoundedLists<Entry> {
  /** By item, only whole lists. */
  lists: Map<number, Entry[]>;
  /** The id of the first item whose list was not read whole: it and all after it are missing. */
  cutAt: number | undefined;
}

export interface ProvisioningReads {
  byToken(digest: string): Promise<ScimTokenHolder | undefined>;
  tokens(accountId: number): Promise<ListedScimToken[]>;
  /** How many people and departments identity providers look after. */
  counts(accountId: number): Promise<{ people: number; departments: number }>;
  /** Everybody whom identity providers see, by id: people who were deleted there are left out. */
  users(accountId: number, slice: ScimSlice, lookup?: UserLookup): Promise<ScimUser[]>;
  countUsers(accountId: number): Promise<number>;
  /** The provisioned departments of these people. */
  groupsOf(accountId: number, memberIds: readonly number[], limit: number): Promise<BoundedLists<ScimLink>>;
  /** Provisioned departments by id, without their members. */
  groups(accountId: number, slice: ScimSlice, lookup?: GroupLookup): Promise<ScimGroup[]>;
  countGroups(accountId: number): Promise<number>;
  membersOf(accountId: number, groupIds: readonly number[], limit: number): Promise<BoundedLists<ScimLink>>;
}
