/** Rows of provisioning for a full store. */
import type { MemberRef } from '@drawbridge/server/domain/people/panel';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../kit/server/account.ts';
import { someUser } from '../../suites/store/people/provisioning-fixture.ts';
import { someDigest } from '../../suites/store/fixture.ts';

export async function fillProvisioning(store: Store, { accountId, memberId }: MemberRef): Promise<void> {
  const token = { digest: someDigest(), prefix: 'abcdef', name: 'Пример', expireTime: store.now() + 900 };
  const { id: tokenId } = await must(store, 'scim/token-create', { accountId, memberId, token });
  const caller = { accountId, tokenId };
  const content = someUser('scim@example.com', { externalId: '00u1', profile: { title: 'Käpt’n' } });
  const { id } = await must(store, 'scim/user-create', { ...caller, content });
  const edit = { name: 'Außendienst', externalId: 'g1', members: [{ kind: 'add', ids: [id] }] } as const;
  await must(store, 'scim/group-create', { ...caller, edit });
}
