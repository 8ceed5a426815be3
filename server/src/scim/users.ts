/** `/Users`: the people of the account. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { scimPrefix, userDefinition, type ScimValues } from '../domain/scim/attributes.ts';
import type { ScimFilter } from '../domain/scim/filter.ts';
import { countMentions, requiredTexts } from '../domain/scim/match.ts';
import { project, showsAttribute } from '../domain/scim/projection.ts';
import {
  nameParts,
  readUserContent,
  toUserValues,
  type ScimUser,
  type UserContent,
} from '../domain/scim/user.ts';
import { isScimObject, readResource } from '../domain/scim/values.ts';
import type { PageRequest, PageResponse } from '../http/route.ts';
import type { ScimCaller, ScimDeps } from './caller.ts';
import { pathIdOf, readListRequest, readOperations, type ListRequest } from './request.ts';
import { faultResponse, listResponse, noContent, scimResponse } from './responses.ts';
import { scan } from './scan.ts';
import { maxLinks, wholeItems } from './whole-items.ts';

const { schema, extension } = userDefinition;
const missing = fault('not_found', { message: 'There is no such person.' });

/** The people as resources, with their groups. */
async function toResources(
  { store, publicUrl }: ScimDeps,
  { accountId }: ScimCaller,
  users: readonly ScimUser[],
  { projection }: ListRequest,
): Promise<ScimValues[] | Fault<'invalid'>> {
  const ids = users.map(({ id }) => id);
  const groups = showsAttribute(projection, 'groups')
    ? await store.provisioning.groupsOf(accountId, ids, maxLinks)
    : undefined;
  const whole = wholeItems(users, groups?.cutAt, 'groups');
  if (isFault(whole)) return whole;
  const base = publicUrl + scimPrefix;
  return whole.map((user) => {
    const { meta, ...values } = toUserValues(user);
    const own = (groups?.lists.get(user.id) ?? []).map(({ id, name }) => ({
      value: String(id),
      display: name,
      $ref: `${base}/Groups/${id}`,
    }));
    const resource = {
      schemas: extension && extension.schema in values ? [schema, extension.schema] : [schema],
      ...(user.profile === undefined && { name: nameParts(user) }),
      ...values,
      groups: own,
      meta: { ...(meta as object), location: `${base}/Users/${user.id}` },
    };
    return project(resource, projection);
  });
}

/** Conditions that the database can look up; the rest is compared in memory. */
function toLookup(filter: ScimFilter) {
  const [userName] = requiredTexts(filter, 'userName');
  const [externalId] = requiredTexts(filter, 'externalId');
  const ids = requiredTexts(filter, 'id').map((id) => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0));
  return {
    ...(userName !== undefined && { userName }),
    ...(externalId !== undefined && { externalId }),
    ...(ids.length > 0 && { ids: ids.slice(0, 1) }),
  };
}

async function findPage(
  { store, yieldToEventLoop }: ScimDeps,
  { accountId }: ScimCaller,
  { filter, startIndex, count }: ListRequest,
): Promise<{ total: number; items: ScimUser[] }> {
  const { users, countUsers } = store.provisioning;
  if (!filter)
    return {
      total: await countUsers(accountId),
      items: count === 0 ? [] : await users(accountId, { offset: startIndex - 1, limit: count }),
    };
  const lookup = toLookup(filter);
  const next = (after: number, limit: number) => users(accountId, { after, limit }, lookup);
  return scan({ next, toValues: toUserValues, filter, startIndex, count, yieldToEventLoop });
}

export async function listUsers(
  deps: ScimDeps,
  caller: ScimCaller,
  { query }: PageRequest,
): Promise<PageResponse> {
  const request = readListRequest(userDefinition, query);
  if (isFault(request)) return faultResponse(request);
  if (request.filter && countMentions(request.filter, 'groups') > 0)
    return faultResponse(
      fault('invalid', {
        code: 'invalid_filter',
        message: 'People cannot be filtered by groups: filter groups by members.',
      }),
    );
  const { total, items } = await findPage(deps, caller, request);
  const resources = await toResources(deps, caller, items, request);
  if (isFault(resources)) return faultResponse(resources);
  return listResponse({ total, startIndex: request.startIndex, resources });
}

export async function getUser(deps: ScimDeps, caller: ScimCaller, page: PageRequest): Promise<PageResponse> {
  const request = readListRequest(userDefinition, page.query);
  if (isFault(request)) return faultResponse(request);
  const [user] = await deps.store.provisioning.users(
    caller.accountId,
    { limit: 1 },
    { ids: [pathIdOf(page)] },
  );
  if (!user) {
    await caller.noteMissing('scim/user-read', page.params['id'] ?? '');
    return faultResponse(missing);
  }
  const resources = await toResources(deps, caller, [user], request);
  return isFault(resources) ? faultResponse(resources) : scimResponse(200, resources[0]!);
}

/** The person after a change. */
async function respondWith(
  deps: ScimDeps,
  caller: ScimCaller,
  { query }: PageRequest,
  { http, user }: { http: number; user: ScimUser | Fault },
): Promise<PageResponse> {
  if (isFault(user)) return faultResponse(user);
  const request = readListRequest(userDefinition, query);
  if (isFault(request)) return faultResponse(request);
  const whole = await toResources(deps, caller, [user], request);
  // The change is done, so that a person with too many groups is returned without them.
  const short = { schemas: [schema], ...toUserValues(user) };
  const resource = isFault(whole) ? project(short, request.projection) : whole[0]!;
  const location = `${deps.publicUrl}${scimPrefix}/Users/${user.id}`;
  return scimResponse(http, resource, { Location: location });
}

/** What the audit log shows of a request. */
const shownContent = ({ userName, email, active }: UserContent): object => ({
  user_name: userName,
  email,
  ...(active !== undefined && { active }),
});

function readContent(body: ScimValues): UserContent | Fault<'invalid'> {
  const values = readResource(userDefinition, body);
  return isFault(values) ? values : readUserContent(values);
}

export async function createUser(
  deps: ScimDeps,
  caller: ScimCaller,
  request: PageRequest,
  body: ScimValues,
): Promise<PageResponse> {
  const content = readContent(body);
  const event = 'scim/user-create';
  if (isFault(content)) {
    await caller.noteRefusal(event, {}, content);
    return faultResponse(content);
  }
  const user = await caller.change('scim/user-create', { content }, { event, input: shownContent(content) });
  return respondWith(deps, caller, request, { http: 201, user });
}

export async function replaceUser(
  deps: ScimDeps,
  caller: ScimCaller,
  request: PageRequest,
  body: ScimValues,
): Promise<PageResponse> {
  const id = pathIdOf(request);
  const content = readContent(body);
  const event = 'scim/user-replace';
  if (isFault(content)) {
    await caller.noteRefusal(event, { id }, content);
    return faultResponse(content);
  }
  const input = { id, ...shownContent(content) };
  const user = await caller.change('scim/user-update', { id, edit: { content } }, { event, input });
  return respondWith(deps, caller, request, { http: 200, user });
}

const maxUserOperations = 100;

export async function patchUserResource(
  deps: ScimDeps,
  caller: ScimCaller,
  request: PageRequest,
  body: ScimValues,
): Promise<PageResponse> {
  const id = pathIdOf(request);
  const read = readOperations(body);
  const operations =
    !isFault(read) && read.length > maxUserOperations
      ? fault('invalid', {
          message: `A person can be changed by at most ${maxUserOperations} operations at once.`,
        })
      : read;
  const event = 'scim/user-patch';
  if (isFault(operations)) {
    await caller.noteRefusal(event, { id }, operations);
    return faultResponse(operations);
  }
  // The log names what was changed, not the values: they may hold a password.
  const changed = operations.map(
    ({ path, value }) => path ?? (isScimObject(value) ? Object.keys(value).join(' ') : ''),
  );
  const input = { id, changed: changed.join(' ').slice(0, 500) };
  const user = await caller.change('scim/user-update', { id, edit: { operations } }, { event, input });
  return respondWith(deps, caller, request, { http: 200, user });
}

export async function removeUser(
  _deps: ScimDeps,
  caller: ScimCaller,
  request: PageRequest,
): Promise<PageResponse> {
  const id = pathIdOf(request);
  const outcome = await caller.change(
    'scim/user-remove',
    { id },
    { event: 'scim/user-remove', input: { id } },
  );
  return isFault(outcome) ? faultResponse(outcome) : noContent;
}
