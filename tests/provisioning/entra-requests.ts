/** Bodies in the forms in which Entra ID sends them, written by hand: none was recorded. */
const patch = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Entra ID tests the connection with a user that does not exist. */
export const entraLookup = (attribute: string, value: string): string =>
  `/Users?filter=${encodeURIComponent(attribute).replaceAll('%20', '+')}+eq+%22${encodeURIComponent(value)}%22`;

export const entraCreate = (userName: string, email: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
  externalId: 'jyoung',
  userName,
  active: true,
  addresses: null,
  displayName: 'Joy Young',
  emails: [{ type: 'work', value: email, primary: true }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Joy Young', familyName: 'Young', givenName: 'Joy' },
  phoneNumbers: null,
  preferredLanguage: null,
  title: null,
  [enterprise]: { department: 'Sales', manager: { value: '' } },
});

/** One request with many attributes: some by filter, some of the extension, booleans as text. */
export const entraUpdate = (email: string) => ({
  schemas: [patch],
  Operations: [
    { op: 'Replace', path: 'displayName', value: 'Joy Young-Hart' },
    { op: 'Replace', path: 'name.familyName', value: 'Young-Hart' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: email },
    { op: 'Add', path: 'emails[type eq "other"].value', value: 'joy@home.example' },
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 30 1234' },
    { op: 'Add', path: 'addresses[type eq "work"].country', value: 'DE' },
    { op: 'Replace', path: `${enterprise}:department`, value: 'Service' },
    { op: 'Add', path: `${enterprise}:manager`, value: '7' },
    { op: 'Replace', path: 'active', value: 'True' },
  ],
});

/** Roles of the application, if somebody maps them, and a manager who was removed, together with the end of the person's access. */
export const entraRolesAndEnd = {
  schemas: [patch],
  Operations: [
    { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Technician' },
    { op: 'Remove', path: `${enterprise}:manager` },
    { op: 'Add', path: 'emails[type eq "work"].value', value: 'joy.last@example.com' },
    { op: 'Replace', path: 'active', value: 'False' },
  ],
};

/** The form of its setting for strict SCIM (`aadOptscim062020`): one value without a path, and real booleans. */
export const entraStrict = {
  schemas: [patch],
  Operations: [
    {
      op: 'replace',
      value: {
        displayName: 'Joy Strict',
        'name.givenName': 'Joy',
        [`${enterprise}:employeeNumber`]: '77',
        active: true,
      },
    },
  ],
};

/** The older form: names with dots in a value without a path. */
export const entraFlat = {
  schemas: [patch],
  Operations: [
    {
      op: 'Add',
      value: {
        'name.givenName': 'Joyce',
        title: 'Lead',
        [`${enterprise}:costCenter`]: '42',
        'emails[type eq "other"].value': 'joyce@home.example',
      },
    },
  ],
};

export const entraActive = (active: 'True' | 'False') => ({
  schemas: [patch],
  Operations: [{ op: 'Replace', path: 'active', value: active }],
});

export const entraCreateGroup = (displayName: string, externalId: string) => ({
  schemas: [
    'urn:ietf:params:scim:schemas:core:2.0:Group',
    'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
  ],
  externalId,
  displayName,
  meta: { resourceType: 'Group' },
});

export const entraAddMembers = (...ids: string[]) => ({
  schemas: [patch],
  Operations: [{ op: 'Add', path: 'members', value: ids.map((value) => ({ $ref: null, value })) }],
});

/** The form that Entra ID sends by default names the members in `value`. */
export const entraRemoveMember = (id: string) => ({
  schemas: [patch],
  Operations: [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] }],
});

export const entraRenameGroup = (displayName: string) => ({
  schemas: [patch],
  Operations: [{ op: 'Replace', path: 'displayName', value: displayName }],
});
