/** What the server supports, its types of resources and their attributes (RFC 7644, section 4). */
import {
  groupDefinition,
  scimPrefix,
  userDefinition,
  type ScimAttribute,
  type ScimDefinition,
} from '../domain/scim/attributes.ts';
import type { PageResponse } from '../http/route.ts';
import { listResponse, scimError, scimResponse } from './responses.ts';

const definitions: readonly ScimDefinition[] = [userDefinition, groupDefinition];

const unsupported = { supported: false };

export const serviceProviderConfig = (publicUrl: string): PageResponse =>
  scimResponse(200, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    documentationUri: `${publicUrl}/docs/`,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: unsupported,
    sort: unsupported,
    etag: unsupported,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Token',
        description: 'A token of the account, sent as a bearer token',
        primary: true,
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: `${publicUrl}${scimPrefix}/ServiceProviderConfig`,
    },
  });

const resourceTypeOf = (publicUrl: string, { name, says, schema, extension }: ScimDefinition) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint: `/${name}s`,
  description: says,
  schema,
  ...(extension && { schemaExtensions: [{ schema: extension.schema, required: false }] }),
  meta: { resourceType: 'ResourceType', location: `${publicUrl}${scimPrefix}/ResourceTypes/${name}` },
});

interface DescribedAttribute {
  name: string;
  subAttributes?: DescribedAttribute[];
  [property: string]: unknown;
}

const describe = (attribute: ScimAttribute): DescribedAttribute => ({
  name: attribute.name,
  type: attribute.type,
  multiValued: attribute.multiValued ?? false,
  description: attribute.says,
  required: attribute.required ?? false,
  caseExact: attribute.caseExact ?? false,
  mutability: attribute.mutability ?? 'readWrite',
  returned: attribute.mutability === 'writeOnly' ? 'never' : 'default',
  uniqueness: attribute.unique ? 'server' : 'none',
  ...(attribute.type === 'reference' && { referenceTypes: ['uri'] }),
  ...(attribute.sub && { subAttributes: attribute.sub.map(describe) }),
});

const schemasOf = (publicUrl: string) =>
  definitions
    .flatMap(({ schema, name, says, attributes, extension }) => [
      { schema, name, says, attributes },
      ...(extension ? [{ ...extension, name: 'EnterpriseUser' }] : []),
    ])
    .map(({ schema, name, says, attributes }) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
      id: schema,
      name,
      description: says,
      attributes: attributes.map(describe),
      meta: { resourceType: 'Schema', location: `${publicUrl}${scimPrefix}/Schemas/${schema}` },
    }));

/** The whole list, or the one with the id. */
const among = (all: readonly { id: string }[], id: string | undefined): PageResponse => {
  if (id === undefined) return listResponse({ total: all.length, startIndex: 1, resources: all });
  const found = all.find((each) => each.id.toLowerCase() === id.toLowerCase());
  return found ? scimResponse(200, found) : scimError(404, 'There is nothing with this id.');
};

export const resourceTypes = (publicUrl: string, id?: string): PageResponse =>
  among(
    definitions.map((definition) => resourceTypeOf(publicUrl, definition)),
    id,
  );

export const schemas = (publicUrl: string, id?: string): PageResponse => among(schemasOf(publicUrl), id);
