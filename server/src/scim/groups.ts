/** `/Groups`: the departments that identity providers have created. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { groupDefinition, scimPrefix, type ScimValues } from '../domain/scim/attributes.ts';
import type { ScimFilter } from '../domain/scim/filter.ts';
import {
  readGroup,
  toGroupEdit,
  toGroupValues,
  type GroupEdit,
  type ScimGroup,
} from '../domain/scim/group.ts';
import { countMentions, requiredTexts } from '../domain/scim/match.ts';
import { project, showsAttribute } from '../domain/scim/projection.ts';
import type { PageRequest, PageResponse } from '../http/route.ts';
import type { ScimCaller, ScimDeps } from './caller.ts';
import { pathIdOf, readListRequest, readOperations, type ListRequest } from './request.ts';
import { faultResponse, listResponse, noContent, scimResponse } from './responses.ts';
import { scan } from './scan.ts';
import { maxLinks, wholeItems } from './whole-items.ts';

const missing = fault('not_found', { message: 'There is no such group.' });
const expensiveFilter = fault('invalid', {
  code: 'invalid_filter',
  message: 'Groups can be filtered by one member, with eq, and by other attributes joined with and.',
});

async function toResources(
  { store, publicUrl }: ScimDeps,
  { accountId }: ScimCaller,
  groups: readonly ScimGroup[],
  { projection }: Pick<ListRequest, 'projection'>,
): Promise<ScimValues[] | Fault<'invalid'>> {
  const ids = groups.map(({ id }) => id);
  const members = showsAttribute(projection, 'members')
    ? await store.provisioning.membersOf(accountId, ids, maxLinks)
    : undefined;
  const whole = wholeItems(groups, members?.cutAt, 'members');
  if (isFault(whole)) return whole;
  const base = publicUrl + scimPrefix;
  return whole.map((group) => {
    const {
      meta,
      members: own,
      ...values
    } = toGroupValues({
      ...group,
      ...(members && { members: members.lists.get(group.id) ?? [] }),
    });
    const linked = (own as ScimValues[] | undefined)?.map((each) => ({
      ...each,
      $ref: `${base}/Users/${String(each['value'])}`,
    }));
    const resource = {
      schemas: [groupDefinition.schema],
      ...values,
      ...(linked && { members: linked }),
      meta: { ...(meta as object), location: `${base}/Groups/${group.id}` },
    };
    return project(resource, projection);
  });
}

const toNumber = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

function toLookup(filter: ScimFilter) {
  const [name] = requiredTexts(filter, 'displayName');
  const [externalId] = requiredTexts(filter, 'externalId');
  const [id] = requiredTexts(filter, 'id');
  const [member] = requiredTexts(filter, 'members');
  return {
    ...(name !== undefined && { name }),
    ...(externalId !== undefined && { externalId }),
    ...(id !== undefined && { ids: [toNumber(id)] }),
    ...(member !== undefined && { memberId: toNumber(member) }),
  };
}

async function findPage(
  { store, yieldToEventLoop }: ScimDeps,
  { accountId }: ScimCaller,
  { filter, startIndex, count }: ListRequest,
): Promise<{ total: number; items: ScimGroup[] } | Fault<'invalid'>> {
  const { groups, countGroups } = store.provisioning;
  if (!filter)
    return {
      total: await countGroups(accountId),
      items: count === 0 ? [] : await groups(accountId, { offset: startIndex - 1, limit: count }),
    };
  const lookup = toLookup(filter);
  const { memberId } = lookup;
  if (countMentions(filter, 'members') !== (memberId === undefined ? 0 : 1)) return expensiveFilter;
  // Only groups with this member are found, so that no other member needs to be compared.
  const members = memberId === undefined ? [] : [{ id: memberId, name: '' }];
  return scan({
    next: (after, limit) => groups(accountId, { after, limit }, lookup),
    toValues: (group: ScimGroup) => toGroupValues({ ...group, members }),
    filter,
    startIndex,
    count,
    yieldToEventLoop,
  });
}

export async function listGroups(
  deps: ScimDeps,
  caller: ScimCaller,
  { query }: PageRequest,
): Promise<PageResponse> {
  const request = readListRequest(groupDefinition, query);
  if (isFault(request)) return faultResponse(request);
  const found = await findPage(deps, caller, request);
  if (isFault(found)) return faultResponse(found);
  const resources = await toResources(deps, caller, found.items, request);
  if (isFault(resources)) return faultResponse(resources);
  return listResponse({ total: found.total, startIndex: request.startIndex, resources });
}

export async function getGroup(deps: ScimDeps, caller: ScimCaller, page: PageRequest): Promise<PageResponse> {
  const request = readListRequest(groupDefinition, page.query);
  if (isFault(request)) return faultResponse(request);
  const [group] = await deps.store.provisioning.groups(
    caller.accountId,
    { limit: 1 },
    { ids: [pathIdOf(page)] },
  );
  if (!group) {
    await caller.noteMissing('scim/group-read', page.params['id'] ?? '');
    return faultResponse(missing);
  }
  const resources = await toResources(deps, caller, [group], request);
  return isFault(resources) ? faultResponse(resources) : scimResponse(200, resources[0]!);
}

async function respondWith(
  deps: ScimDeps,
  caller: ScimCaller,
  { query }: PageRequest,
  { http, group }: { http: number; group: ScimGroup | Fault },
): Promise<PageResponse> {
  if (isFault(group)) return faultResponse(group);
  const request = readListRequest(groupDefinition, query);
  if (isFault(request)) return faultResponse(request);
  const whole = await toResources(deps, caller, [group], request);
  // The change is done, so that a group with too many members is returned without them.
  const short = { schemas: [groupDefinition.schema], ...toGroupValues(group) };
  const resource = isFault(whole) ? project(short, request.projection) : whole[0]!;
  return scimResponse(http, resource, { Location: `${deps.publicUrl}${scimPrefix}/Groups/${group.id}` });
}

const maxShownIds = 100;

/** What the audit log shows of a request: the name, and who joins and leaves, as far as the request says. */
const shownEdit = ({ name, members }: GroupEdit): object => ({
  ...(name !== undefined && { name }),
  ...(members.length > 0 && {
    members: members.slice(0, maxShownIds).map(({ kind, ids }) => ({
      kind,
      ids: ids.slice(0, maxShownIds),
      ...(ids.length > maxShownIds && { more: ids.length - maxShownIds }),
    })),
  }),
});

export async function createGroup(
  deps: ScimDeps,
  caller: ScimCaller,
  request: PageRequest,
  body: ScimValues,
): Promise<PageResponse> {
  const edit = readGroup(body);
  const event = 'scim/group-create';
  if (isFault(edit)) {
    await caller.noteRefusal(event, {}, edit);
    return faultResponse(edit);
  }
  const group = await caller.change('scim/group-create', { edit }, { event, input: shownEdit(edit) });
  return respondWith(deps, caller, request, { http: 201, group });
}

export async function replaceGroup(
  deps: ScimDeps,
  caller: ScimCaller,
  request: PageRequest,
  body: ScimValues,
): Promise<PageResponse> {
  const group = await updateGroup(caller, pathIdOf(request), 'scim/group-replace', readGroup(body));
  return respondWith(deps, caller, request, { http: 200, group });
}

/** Returns nothing unless attributes are asked for: a group may have thousands of members. */
export async function patchGroup(
  deps: ScimDeps,
  caller: ScimCaller,
  request: PageRequest,
  body: ScimValues,
): Promise<PageResponse> {
  const operations = readOperations(body);
  const edit = isFault(operations) ? operations : toGroupEdit(operations);
  const group = await updateGroup(caller, pathIdOf(request), 'scim/group-patch', edit);
  const isAsked = /(?:^|&)attributes=/.test(request.query);
  return !isFault(group) && !isAsked ? noContent : respondWith(deps, caller, request, { http: 200, group });
}

async function updateGroup(
  caller: ScimCaller,
  id: number,
  event: 'scim/group-replace' | 'scim/group-patch',
  edit: GroupEdit | Fault<'invalid'>,
): Promise<ScimGroup | Fault> {
  if (!isFault(edit))
    return caller.change('scim/group-update', { id, edit }, { event, input: { id, ...shownEdit(edit) } });
  await caller.noteRefusal(event, { id }, edit);
  return edit;
}

export async function removeScimGroup(
  _deps: ScimDeps,
  caller: ScimCaller,
  request: PageRequest,
): Promise<PageResponse> {
  const id = pathIdOf(request);
  const outcome = await caller.change(
    'scim/group-remove',
    { id },
    { event: 'scim/group-remove', input: { id } },
  );
  return isFault(outcome) ? faultResponse(outcome) : noContent;
}
