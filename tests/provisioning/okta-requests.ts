/** Bodies in the forms in which Okta sends them, written by hand: none was recorded. */
const messages = 'urn:ietf:params:scim:api:messages:2.0';
const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** Before a person is created, Okta looks for the user name. */
export const oktaLookup = (userName: string): string =>
  `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}&startIndex=1&count=100`;

export const oktaCreate = (email: string, externalId: string) => ({
  schemas: [user],
  userName: email,
  name: { givenName: 'Ann', familyName: 'Archer' },
  emails: [{ primary: true, value: email, type: 'work' }],
  displayName: 'Ann Archer',
  locale: 'en-US',
  externalId,
  groups: [],
  password: '1mz050nq',
  active: true,
});

/** Okta replaces the whole person when a profile changes. */
export const oktaReplace = (id: string, email: string, externalId: string, givenName: string) => ({
  schemas: [user],
  id,
  userName: email,
  name: { givenName, middleName: '', familyName: 'Archer' },
  emails: [{ primary: true, value: email, type: 'work' }],
  externalId,
  active: true,
  groups: [],
  meta: { resourceType: 'User' },
});

/** Okta switches people off and on with a value that has no path. */
export const oktaActive = (active: boolean) => ({
  schemas: [`${messages}:PatchOp`],
  Operations: [{ op: 'replace', value: { active } }],
});

/** Older Okta integrations end access by replacing the person. */
export const oktaReplaceInactive = (id: string, email: string, externalId: string) => ({
  ...oktaReplace(id, email, externalId, 'Ann'),
  active: false,
});

export const oktaCreateGroup = (displayName: string, ...members: string[]) => ({
  schemas: [group],
  displayName,
  members: members.map((value) => ({ value, display: `${value}@example.com` })),
});

/** Okta sends the id of the group beside its new name. */
export const oktaRenameGroup = (id: string, displayName: string) => ({
  schemas: [`${messages}:PatchOp`],
  Operations: [{ op: 'replace', value: { id, displayName } }],
});

export const oktaMembers = (added: readonly string[], removed: readonly string[]) => ({
  schemas: [`${messages}:PatchOp`],
  Operations: [
    ...removed.map((value) => ({ op: 'remove', path: `members[value eq "${value}"]` })),
    {
      op: 'add',
      path: 'members',
      value: added.map((value) => ({ value, display: `${value}@example.com` })),
    },
  ],
});

/** Where PATCH is off, Okta replaces the whole group. */
export const oktaReplaceGroup = (id: string, displayName: string, ...members: string[]) => ({
  ...oktaCreateGroup(displayName, ...members),
  id,
});

/** Before a group is pushed, Okta looks for its name. */
export const oktaGroupLookup = (displayName: string): string =>
  `/Groups?filter=${encodeURIComponent(`displayName eq "${displayName}"`)}&startIndex=1&count=100`;

export const oktaReplaceMembers = (...members: string[]) => ({
  schemas: [`${messages}:PatchOp`],
  Operations: [{ op: 'replace', path: 'members', value: members.map((value) => ({ value })) }],
});
