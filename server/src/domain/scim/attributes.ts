/** The attributes of people and groups in SCIM (RFC 7643): what is read, patched, filtered and described follows from these tables. */

/** The path below which identity providers find everything. */
export const scimPrefix = '/scim/v2';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

export interface ScimAttribute {
  name: string;
  type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';
  says: string;
  multiValued?: boolean;
  required?: boolean;
  caseExact?: boolean;
  unique?: boolean;
  mutability?: 'readOnly' | 'writeOnly';
  /** True if values are accepted and never stored. */
  ignored?: boolean;
  /** The attributes of a complex one. */
  sub?: readonly ScimAttribute[];
}

/** A resource, a complex value or an extension: names in the spelling of the tables. */
export type ScimValues = Record<string, unknown>;

export interface ScimDefinition {
  schema: string;
  name: 'User' | 'Group';
  says: string;
  attributes: readonly ScimAttribute[];
  /** Attributes of RFC 7643 that are not stored: patches may name them, and schemas do not list them. */
  ignoredAttributes?: readonly ScimAttribute[];
  extension?: { schema: string; says: string; attributes: readonly ScimAttribute[] };
}

const text = (name: string, says: string, more: Partial<ScimAttribute> = {}): ScimAttribute => ({
  name,
  type: 'string',
  says,
  ...more,
});

/** A list of values with a type, of which one can be the primary one. */
const list = (
  name: string,
  says: string,
  own: readonly ScimAttribute[] = [text('value', 'The value')],
): ScimAttribute => ({
  name,
  type: 'complex',
  says,
  multiValued: true,
  sub: [
    ...own,
    text('display', 'How the value is shown'),
    text('type', 'What the value is used for, such as work'),
    { name: 'primary', type: 'boolean', says: 'Whether this is the preferred value' },
  ],
});

const complex = (
  name: string,
  says: string,
  sub: readonly ScimAttribute[],
  more: Partial<ScimAttribute> = {},
): ScimAttribute => ({ name, type: 'complex', says, sub, ...more });

const readOnly = { mutability: 'readOnly' } as const;

/** Attributes that every resource has. They are in no schema (RFC 7643, section 3.1). */
const commonAttributes: readonly ScimAttribute[] = [
  text('id', 'The id', { ...readOnly, caseExact: true }),
  text('externalId', 'The id at the identity provider', { caseExact: true }),
  complex(
    'meta',
    'When and where',
    [
      text('resourceType', 'The type', { caseExact: true }),
      { name: 'created', type: 'dateTime', says: 'When it was created' },
      { name: 'lastModified', type: 'dateTime', says: 'When it was last changed' },
      { name: 'location', type: 'reference', says: 'Its address', caseExact: true },
    ],
    readOnly,
  ),
];

const personName = complex('name', 'The parts of the name', [
  text('formatted', 'The whole name'),
  text('familyName', 'The family name'),
  text('givenName', 'The given name'),
  text('middleName', 'The middle name'),
  text('honorificPrefix', 'A title before the name'),
  text('honorificSuffix', 'A title after the name'),
]);

const addresses = list('addresses', 'Postal addresses', [
  text('formatted', 'The whole address'),
  text('streetAddress', 'Street and number'),
  text('locality', 'The city'),
  text('region', 'The state or region'),
  text('postalCode', 'The postal code'),
  text('country', 'The country'),
]);

const ignored = (name: string, says: string): ScimAttribute => ({ ...list(name, says), ignored: true });

export const userDefinition: ScimDefinition = {
  schema: userSchema,
  name: 'User',
  says: 'A person of the account',
  attributes: [
    text('userName', 'The name at the identity provider', { required: true, unique: true }),
    personName,
    text('displayName', 'The name that others see'),
    text('nickName', 'A casual name'),
    { name: 'profileUrl', type: 'reference', says: 'The address of a profile' },
    text('title', 'The job title'),
    text('userType', 'The relationship to the organisation'),
    text('preferredLanguage', 'The preferred language'),
    text('locale', 'The locale'),
    text('timezone', 'The time zone'),
    { name: 'active', type: 'boolean', says: 'Whether the person may sign in and do anything' },
    text('password', 'Accepted and ignored: passwords are never set by provisioning', {
      mutability: 'writeOnly',
      caseExact: true,
    }),
    list('emails', 'E-mail addresses: the primary one, or else the one for work, is that of the person here'),
    list('phoneNumbers', 'Phone numbers'),
    addresses,
    list('roles', 'Roles at the identity provider: stored, and without effect here'),
    list('entitlements', 'Entitlements at the identity provider: stored, and without effect here'),
    complex(
      'groups',
      'The groups of the person',
      [
        text('value', 'The id of the group', readOnly),
        { name: '$ref', type: 'reference', says: 'The address of the group', ...readOnly },
        text('display', 'The name of the group', readOnly),
      ],
      { ...readOnly, multiValued: true },
    ),
  ],
  ignoredAttributes: [
    ignored('ims', 'Addresses for instant messages'),
    ignored('photos', 'Addresses of photos'),
    ignored('x509Certificates', 'Certificates'),
  ],
  extension: {
    schema: enterpriseSchema,
    says: 'What organisations know about a person',
    attributes: [
      text('employeeNumber', 'The number of the employee'),
      text('costCenter', 'The cost centre'),
      text('organization', 'The organisation'),
      text('division', 'The division'),
      text('department', 'The department'),
      complex('manager', 'The manager', [
        text('value', 'The id of the manager'),
        { name: '$ref', type: 'reference', says: 'The address of the manager' },
        text('displayName', 'The name of the manager'),
      ]),
    ],
  },
};

export const groupDefinition: ScimDefinition = {
  schema: groupSchema,
  name: 'Group',
  says: 'A department of the account',
  attributes: [
    text('displayName', 'The name of the department', { required: true, unique: true }),
    complex(
      'members',
      'The people of the department',
      [
        text('value', 'The id of the person', { caseExact: true }),
        { name: '$ref', type: 'reference', says: 'The address of the person' },
        text('display', 'The name of the person'),
        text('type', 'Always User'),
      ],
      { multiValued: true },
    ),
  ],
};

/** Names of attributes are compared without case. */
export const attributeNamed = (
  attributes: readonly ScimAttribute[],
  name: string,
): ScimAttribute | undefined => {
  const lower = name.toLowerCase();
  return attributes.find((each) => each.name.toLowerCase() === lower);
};

/** An attribute, or a part of it, in the resource itself or in its extension. */
export interface AttributePath {
  /** The schema of the extension; undefined for the resource itself. */
  extension: string | undefined;
  attribute: ScimAttribute;
  sub: ScimAttribute | undefined;
}

/**
 * Finds `name`, `name.sub`, and both after a schema and a colon. Undefined if there is no such attribute.
 * Entra ID also sends `manager` without its schema.
 */
export function resolvePath(definition: ScimDefinition, path: string): AttributePath | undefined {
  const { schema, attributes, ignoredAttributes = [], extension } = definition;
  const inExtension = extension && afterSchema(extension.schema, path);
  if (inExtension !== undefined) return findIn(extension!.attributes, inExtension, extension!.schema);
  const inCore = afterSchema(schema, path);
  const found = findIn([...commonAttributes, ...attributes, ...ignoredAttributes], inCore ?? path);
  if (found || !extension || inCore !== undefined) return found;
  return findIn(extension.attributes, path, extension.schema);
}

function findIn(
  attributes: readonly ScimAttribute[],
  path: string,
  extension?: string,
): AttributePath | undefined {
  const [name = '', subName, ...rest] = path.split('.');
  const attribute = attributeNamed(attributes, name);
  const sub = subName === undefined ? undefined : attributeNamed(attribute?.sub ?? [], subName);
  if (!attribute || rest.length > 0 || (subName !== undefined && !sub)) return undefined;
  return { extension, attribute, sub };
}

function afterSchema(schema: string, path: string): string | undefined {
  const isBelow = path.slice(0, schema.length + 1).toLowerCase() === `${schema.toLowerCase()}:`;
  return isBelow ? path.slice(schema.length + 1) : undefined;
}
