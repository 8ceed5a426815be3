/** What identity providers make the store do: everything that one can change or read, once. */
import { isFault } from '@drawbridge/contract/faults';
import type { MemberRef } from '@drawbridge/server/domain/people/panel';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../kit/server/account.ts';
import { someUser } from '../store/people/provisioning-fixture.ts';

export async function exerciseProvisioning(store: Store, { accountId, memberId }: MemberRef): Promise<void> {
  const token = { digest: 'a token', prefix: 'a toke', name: 'Okta', expireTime: null };
  const { id: tokenId } = await must(store, 'scim/token-create', { accountId, memberId, token });
  const caller = { accountId, tokenId };
  await store.provisioning.byToken('a token');
  await store.provisioning.tokens(accountId);
  await must(store, 'scim/token-used', { accountId, id: tokenId });
  const content = someUser('scim@example.org');
  const user = await must(store, 'scim/user-create', { ...caller, content });
  const edit = { content: { ...content, email: 'scim2@example.org', active: false } };
  await must(store, 'scim/user-update', { ...caller, id: user.id, edit });
  await must(store, 'scim/user-remove', { ...caller, id: user.id });
  await must(store, 'scim/user-create', { ...caller, content: { ...edit.content, active: true } });
  const members = [{ kind: 'set', ids: [user.id] }] as const;
  const group = await must(store, 'scim/group-create', { ...caller, edit: { name: 'Field', members } });
  const renamed = { name: 'Desk', externalId: 'x', members: [{ kind: 'remove', ids: [user.id] }] } as const;
  await must(store, 'scim/group-update', { ...caller, id: group.id, edit: renamed });
  const refused = await store.change('departments/update', { accountId, id: group.id, name: 'Own' });
  if (!isFault(refused)) throw new Error('a provisioned department was renamed');
  const slice = { after: 0, offset: 0, limit: 5 };
  const lookup = { externalId: 'x', ids: [group.id] };
  await store.provisioning.users(accountId, slice, { ...lookup, userName: 'scim@example.org' });
  await store.provisioning.groups(accountId, slice, { ...lookup, name: 'Desk', memberId: user.id });
  await store.provisioning.groupsOf(accountId, [user.id], 9);
  await store.provisioning.membersOf(accountId, [group.id], 9);
  await store.provisioning.countUsers(accountId);
  await store.provisioning.countGroups(accountId);
  await store.provisioning.counts(accountId);
  await must(store, 'scim/group-remove', { ...caller, id: group.id });
  await must(store, 'scim/user-remove', { ...caller, id: user.id });
  const link = { digest: 'a link for somebody back', expireTime: store.now() + 9 };
  const invited = await store.change('members/invite', { accountId, email: 'scim2@example.org', link });
  if (!isFault(invited)) throw new Error('somebody whom the identity provider has removed was invited');
  await must(store, 'scim/token-remove', { accountId, id: tokenId });
}
