/** Complete lists of the team. One function per row of contract/src/panel/team.ts. */
import type { teamLists as table } from '@drawbridge/contract/panel/team';
import type { PanelHandlers } from '../handler.ts';

/** The number of entries that are read before yielding to the event loop. */
const pageSize = 500;

interface PageRange {
  offset: number;
  limit: number;
}

async function readAllPages<Item>(
  read: (page: PageRange) => Promise<readonly Item[]>,
  yieldToEventLoop: () => Promise<unknown>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (;;) {
    const found = await read({ offset: all.length, limit: pageSize });
    for (const each of found) all.push(each);
    if (found.length < pageSize) return all;
    await yieldToEventLoop();
  }
}

export const teamListHandlers: PanelHandlers<typeof table> = {
  'team/people': async ({ actor: { accountId } }, { store, yieldToEventLoop }) => {
    const found = await readAllPages(
      async (page) => (await store.members.list(accountId, page)).members,
      yieldToEventLoop,
    );
    return {
      data: found.map(({ id, email, name, owner, state, createTime, departments }) => ({
        id,
        email,
        name,
        owner,
        state,
        create_time: createTime,
        departments,
      })),
    };
  },

  'team/names': async ({ actor: { accountId }, input: { emails } }, { store }) => ({
    data: await store.members.names(accountId, emails.split(' ')),
  }),

  'team/departments': async ({ actor: { accountId } }, { store, yieldToEventLoop }) => {
    const grants = await store.access.counts(accountId, 'department_id');
    const found = await readAllPages((page) => store.departments.list(accountId, page), yieldToEventLoop);
    return {
      data: found.map(({ id, name, ldap, worker, size }) => ({
        id,
        name,
        ldap,
        worker,
        size,
        grants: grants.get(id) ?? 0,
      })),
    };
  },

  'team/roles': async ({ actor: { accountId } }, { store, yieldToEventLoop }) => {
    const grants = await store.access.counts(accountId, 'role_id');
    const found = await readAllPages((page) => store.roles.list(accountId, page), yieldToEventLoop);
    return {
      data: found.map(({ id, name, type, permissions, system }) => ({
        id,
        name,
        type,
        permission: [...permissions],
        default: system,
        grants: grants.get(id) ?? 0,
      })),
    };
  },
};
