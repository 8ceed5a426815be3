/** Directories of the store's suite: what they show, and accounts that import them. */
import type { DirectorySettings } from '@drawbridge/server/domain/people/directory-connection';
import type { DirectorySnapshot } from '@drawbridge/server/domain/people/directory';
import { must } from '../../../kit/server/account.ts';
import { someDigest, someDirectory, unique, type StoreAccount, type StoreFixture } from '../fixture.ts';

export const directorySettings: DirectorySettings = someDirectory.settings;

interface Shown {
  people: Record<string, string>;
  groups?: Record<string, string[]>;
  disabled?: string[];
}

/** A directory with these people (uid → address) and groups (uid → uids of people and groups). */
export const shows = ({
  people,
  groups = { g: Object.keys(people) },
  disabled = [],
}: Shown): DirectorySnapshot => ({
  people: Object.entries(people).map(([uid, email]) => ({
    uid,
    dn: `uid=${uid}`,
    email,
    disabled: disabled.includes(uid),
  })),
  groups: Object.entries(groups).map(([uid, members]) => ({
    uid,
    dn: `cn=${uid}`,
    name: `Group ${uid}`,
    members: members.map((each) => (each in groups ? `cn=${each}` : `uid=${each}`)),
  })),
});

export async function addDirectory(
  { store }: Pick<StoreFixture, 'store'>,
  account: Pick<StoreAccount, 'accountId' | 'owner'>,
  some: Partial<DirectorySettings> = {},
) {
  const { accountId, owner } = account;
  const created = {
    accountId,
    by: owner.id,
    bindPassword: 'secret',
    settings: { ...directorySettings, ...some },
  };
  const { id } = await must(store, 'directories/create', created);
  return {
    id,
    /** Imports with the rights of the owner, or of somebody else. */
    run: (snapshot: DirectorySnapshot, by = owner.id, confirmedPercent = 0) =>
      store.change('directories/apply', { accountId, id, by, reading: { snapshot }, confirmedPercent }),
    listed: async () => (await store.directories.list(accountId)).find((each) => each.id === id)!,
  };
}

export const address = (): string => `${unique()}@example.com`;
export const invitation = (expireTime: number) => ({ digest: someDigest(), expireTime });
