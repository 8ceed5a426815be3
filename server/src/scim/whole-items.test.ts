/** Pages of groups with many members: shorter pages, never half of a group. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageRequest } from '../http/route.ts';
import type { ScimCaller, ScimDeps } from './caller.ts';
import { getGroup, listGroups } from './groups.ts';
import { maxLinks } from './whole-items.ts';

/** Groups with these numbers of members, whose ids begin with 1. */
function openGroups(...sizes: number[]) {
  const groups = sizes.map((_, at) => ({
    id: at + 1,
    name: `g${at + 1}`,
    externalId: null,
    createTime: 0,
    modifyTime: 0,
  }));
  const rows = sizes.flatMap((size, at) => Array.from({ length: size }, (_, id) => ({ of: at + 1, id })));
  const provisioning = {
    countGroups: async () => groups.length,
    groups: async (_account: number, { offset = 0, limit }: { offset?: number; limit: number }) =>
      groups.slice(offset, offset + limit),
    async membersOf(_account: number, ids: readonly number[], limit: number) {
      const found = rows.filter(({ of }) => ids.includes(of));
      const cutAt = found[limit]?.of;
      const whole = found.filter(({ of }) => cutAt === undefined || of < cutAt);
      const lists = Map.groupBy(
        whole.map(({ of, id }) => ({ of, id, name: 'n' })),
        ({ of }) => of,
      );
      return { lists, cutAt };
    },
  };
  const deps = { store: { provisioning }, publicUrl: '' } as unknown as ScimDeps;
  const send = async (handle: typeof listGroups, query: string, id = '1') => {
    const request = { query, params: { id } } as unknown as PageRequest;
    const { body } = await handle(deps, { accountId: 1 } as ScimCaller, request);
    return JSON.parse(String(body));
  };
  return { list: (query: string) => send(listGroups, query), get: (query: string) => send(getGroup, query) };
}

const namesIn = ({ Resources }: { Resources: { displayName: string }[] }): string[] =>
  Resources.map(({ displayName }) => displayName);

test('a page ends before the group that does not fit, and goes on there', async () => {
  const { list } = openGroups(maxLinks - 1, 1, 0, 2);

  const [first, rest] = [await list(''), await list('startIndex=4')];
  const names = await list('excludedAttributes=members');

  assert.deepEqual([first.totalResults, first.itemsPerPage, namesIn(first)], [4, 3, ['g1', 'g2', 'g3']]);
  assert.equal(first.Resources[0].members.length, maxLinks - 1);
  assert.deepEqual(namesIn(rest), ['g4']);
  assert.deepEqual(namesIn(names), ['g1', 'g2', 'g3', 'g4']);
});

test('a group with too many members is not cut off: it is refused, and read without them', async () => {
  const { list, get } = openGroups(maxLinks + 1);

  const refused = [await list(''), await get('')];

  assert.deepEqual(
    refused.map(({ scimType }) => scimType),
    ['tooMany', 'tooMany'],
  );
  assert.match(refused[0].detail, /excludedAttributes=members/);
  assert.equal((await get('excludedAttributes=members')).displayName, 'g1');
});
