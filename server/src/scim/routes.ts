/** `/scim/v2`: identity providers provision people and departments here (RFC 7644). */
import { isFault } from '@drawbridge/contract/faults';
import { scimPrefix, type ScimValues } from '../domain/scim/attributes.ts';
import type { PageRequest, PageResponse, Route } from '../http/route.ts';
import { isOutage } from '../store/outages.ts';
import { createAuthenticator, type ScimCaller, type ScimDeps } from './caller.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { createGroup, getGroup, listGroups, patchGroup, removeScimGroup, replaceGroup } from './groups.ts';
import { readScimBody } from './request.ts';
import { faultResponse, scimError } from './responses.ts';
import { createUser, getUser, listUsers, patchUserResource, removeUser, replaceUser } from './users.ts';

type Answer = (
  deps: ScimDeps,
  caller: ScimCaller,
  request: PageRequest,
) => Promise<PageResponse> | PageResponse;
type AnswerBody = (
  deps: ScimDeps,
  caller: ScimCaller,
  request: PageRequest,
  body: ScimValues,
) => Promise<PageResponse>;

const unknown = scimError(404, 'There is nothing at this address.');
const unsupported = scimError(501, 'This server does not support this part of SCIM.');
const tooLarge = scimError(413, 'The body must not be larger than 1 MiB.');
const wrongType = scimError(415, 'The body must be application/scim+json.');

const withoutBody: readonly (readonly ['GET' | 'DELETE', string, Answer])[] = [
  ['GET', '/Users', listUsers],
  ['GET', '/Users/:id', getUser],
  ['DELETE', '/Users/:id', removeUser],
  ['GET', '/Groups', listGroups],
  ['GET', '/Groups/:id', getGroup],
  ['DELETE', '/Groups/:id', removeScimGroup],
  ['GET', '/ServiceProviderConfig', ({ publicUrl }) => serviceProviderConfig(publicUrl)],
  ['GET', '/ResourceTypes', ({ publicUrl }) => resourceTypes(publicUrl)],
  [
    'GET',
    '/ResourceTypes/:id',
    ({ publicUrl }, _caller, { params }) => resourceTypes(publicUrl, params['id']),
  ],
  ['GET', '/Schemas', ({ publicUrl }) => schemas(publicUrl)],
  ['GET', '/Schemas/:id', ({ publicUrl }, _caller, { params }) => schemas(publicUrl, params['id'])],
  ['GET', '/Me', () => unsupported],
  ['GET', '/*', () => unknown],
  ['DELETE', '/*', () => unknown],
];

const withBody: readonly (readonly ['POST' | 'PUT' | 'PATCH', string, AnswerBody])[] = [
  ['POST', '/Users', createUser],
  ['PUT', '/Users/:id', replaceUser],
  ['PATCH', '/Users/:id', patchUserResource],
  ['POST', '/Groups', createGroup],
  ['PUT', '/Groups/:id', replaceGroup],
  ['PATCH', '/Groups/:id', patchGroup],
  ['POST', '/Bulk', async () => unsupported],
  ['POST', '/*', async () => unknown],
  ['PUT', '/*', async () => unknown],
  ['PATCH', '/*', async () => unknown],
];

/** The type may have parameters. A request without one is read as JSON, too. */
const isJson = ({ headers }: PageRequest): boolean =>
  /^application\/(?:scim\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? 'application/json');

async function answerBody(
  answer: AnswerBody,
  deps: ScimDeps,
  caller: ScimCaller,
  request: PageRequest,
): Promise<PageResponse> {
  if (!isJson(request)) return wrongType;
  const body = await readScimBody(request);
  if (body === 'too_large') return tooLarge;
  return isFault(body) ? faultResponse(body) : answer(deps, caller, request, body);
}

export function scimRoutes(deps: ScimDeps): Route[] {
  const authenticate = createAuthenticator(deps);
  const handle = (path: string, answer: Answer) => async (request: PageRequest) => {
    try {
      const caller = await authenticate(request);
      return 'refused' in caller ? caller.refused : await answer(deps, caller, request);
    } catch (error) {
      deps.onBug(path, error);
      return isOutage(error)
        ? scimError(503, 'The service cannot read or store data at the moment.', {
            headers: { 'Retry-After': '5' },
          })
        : scimError(500, 'The service failed. The log of the server has the cause.');
    }
  };
  return [
    ...withoutBody.map(([method, path, answer]) => ({
      method,
      path: scimPrefix + path,
      handle: handle(scimPrefix + path, answer),
    })),
    // The body is read only after the token was checked.
    ...withBody.map(([method, path, answer]) => ({
      method,
      path: scimPrefix + path,
      takes: 'bytes' as const,
      handle: handle(scimPrefix + path, (_deps, caller, request) =>
        answerBody(answer, deps, caller, request),
      ),
    })),
  ];
}
