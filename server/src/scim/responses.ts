/** Responses in the format of SCIM (RFC 7644, sections 3.4.2 and 3.12). */
import { toErrorBody, type Fault } from '@drawbridge/contract/faults';
import type { ScimValues } from '../domain/scim/attributes.ts';
import type { PageResponse } from '../http/route.ts';

const type = 'application/scim+json; charset=utf-8';

export const scimResponse = (
  http: number,
  body: object,
  headers: Record<string, string> = {},
): PageResponse => ({
  http,
  type,
  body: JSON.stringify(body),
  headers,
});

export const noContent: PageResponse = { http: 204, type, body: '' };

export const scimError = (
  http: number,
  detail: string,
  { scimType, headers }: { scimType?: string | undefined; headers?: Record<string, string> } = {},
): PageResponse =>
  scimResponse(
    http,
    {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(http),
      ...(scimType !== undefined && { scimType }),
      detail,
    },
    headers,
  );

/** The names that RFC 7644 gives to the codes of refusals. */
const scimTypes: Readonly<Record<string, string>> = {
  uniqueness: 'uniqueness',
  invalid_value: 'invalidValue',
  invalid_path: 'invalidPath',
  invalid_filter: 'invalidFilter',
  no_target: 'noTarget',
  mutability: 'mutability',
  too_many: 'tooMany',
};

export function faultResponse(refusal: Fault): PageResponse {
  const { code, message } = toErrorBody(refusal);
  if (refusal.fault === 'not_found') return scimError(404, message);
  if (refusal.fault === 'forbidden') return scimError(403, message);
  return scimError(code === 'uniqueness' ? 409 : 400, message, {
    scimType: scimTypes[code] ?? 'invalidSyntax',
  });
}

interface FoundResources {
  total: number;
  startIndex: number;
  resources: readonly ScimValues[];
}

export const listResponse = ({ total, startIndex, resources }: FoundResources): PageResponse =>
  scimResponse(200, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  });
