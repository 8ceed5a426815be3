/** What imports from a directory make the store do: everything that one can change, once. */
import type { DirectorySnapshot } from '@drawbridge/server/domain/people/directory';
import type { MemberRef } from '@drawbridge/server/domain/people/panel';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../kit/server/account.ts';
import { someDirectory } from '../store/fixture.ts';

const person = (uid: string, email = `${uid}@example.org`) => ({ uid, dn: uid, email, disabled: false });
const group = (name: string, ...members: string[]) => ({ uid: 'g', dn: 'g', name, members });

export async function exerciseDirectory(store: Store, { accountId, memberId: by }: MemberRef): Promise<void> {
  const { bindPassword, settings } = someDirectory;
  const directory = { bindPassword, settings: { ...settings, adopt: true, everyMinutes: 15 } };
  const { id } = await must(store, 'directories/create', { accountId, by, ...directory });
  const target = { accountId, id, by };
  const load = (snapshot: DirectorySnapshot) =>
    must(store, 'directories/apply', { ...target, reading: { snapshot }, confirmedPercent: 100 });
  const link = { digest: 'a link of somebody', expireTime: store.now() + 9 };
  await must(store, 'members/invite', { accountId, email: 'local@example.org', link });
  const first = { people: [person('a'), person('b'), person('local')], groups: [group('One', 'a', 'b')] };
  await store.directories.plan(target, { snapshot: first });
  await load(first);
  await load({ people: [person('a', 'new@example.org')], groups: [group('Two')] });
  await load(first);
  await must(store, 'directories/claim', { exceptAccounts: [] });
  await store.directories.connection(accountId, id);
  await must(store, 'directories/remove', { accountId, id });
}
