/** Provisioning by SCIM, in SQL: its reads and its changes. */
import type { Reader } from '../../engine/database.ts';
import { scimGroupChanges } from './group-changes.ts';
import { scimGroupReads } from './groups.ts';
import type { ProvisioningReads } from './provisioning-records.ts';
import { scimTokenChanges, scimTokenReads } from './tokens.ts';
import { scimUserChanges } from './user-changes.ts';
import { scimUserReads } from './users.ts';

export const provisioningReads = (reader: Reader, now: () => number): ProvisioningReads => ({
  ...scimTokenReads(reader, now),
  ...scimUserReads(reader),
  ...scimGroupReads(reader),
});

export const provisioningChanges = { ...scimTokenChanges, ...scimUserChanges, ...scimGroupChanges };
