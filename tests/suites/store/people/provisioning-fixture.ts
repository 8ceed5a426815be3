/** What identity providers say about people, for tests. */
import type { UserContent } from '@drawbridge/server/domain/scim/user';

export const someUser = (email: string, more: Partial<UserContent> = {}): UserContent => ({
  userName: email,
  externalId: null,
  email,
  name: '',
  active: undefined,
  profile: {},
  ...more,
});
