/** Lists of two accounts with hundreds of equally named resources hold nothing of each other. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OperationId } from '@drawbridge/contract/v1/index';
import { databases } from '../kit/server/database.ts';
import { must, type TestAccount } from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { operationTable } from './call-operation.ts';
import { insertInvitation, uniqueText } from './resources.ts';

for (const { kind, skip } of databases)
  describe(`lists of two accounts on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    test('lists of two accounts with hundreds of equally named resources hold nothing of each other', async () => {
      const pair = [await service.account(), await service.account()] as const;
      const mine = await Promise.all(pair.map((account) => fillAccount(account, 300)));
      const lists: Record<string, OperationId> = {
        agents: 'agents/list',
        groups: 'groups/list',
        departments: 'team/department/list',
        roles: 'team/role/list',
        members: 'team/member/list',
        invitations: 'support/list',
        sessions: 'history/list',
      };

      for (const [index, account] of pair.entries())
        for (const [thing, id] of Object.entries(lists))
          for (const search of [undefined, 'thing 1']) {
            const seen = await everyPage(account, id, search);
            const own = mine[index]![thing]!;
            assert.deepEqual(
              seen.filter((each) => !own.includes(each)),
              [],
              `${id} ${search}`,
            );
            assert.ok(search !== undefined || seen.length >= 300, id);
          }
    });

    /** All ids of a list, page by page if it has pages; system roles and the owner exist from the start. */
    async function everyPage(
      account: TestAccount,
      id: OperationId,
      search: string | undefined,
    ): Promise<number[]> {
      const paged = 'limit' in operationTable[id].input.shape && id !== 'agents/list';
      const seen: number[] = [];
      for (let offset = 0; ; offset += 100) {
        const params = { ...(paged && { offset, limit: 100 }), ...(search !== undefined && { search }) };
        const { body } = await account.owner.call(id, params);
        seen.push(...(body['data'] as { id: number }[]).map((each) => each.id));
        if (!paged || (body['data'] as unknown[]).length < 100) return seen;
      }
    }

    /** Hundreds of everything, with names that every account uses. */
    async function fillAccount(account: TestAccount, count: number): Promise<Record<string, number[]>> {
      const { store } = service.server;
      const { id: accountId, owner } = account;
      const geo = { ip: '', country: '', region: '', city: '' };
      const each = async <Made>(make: (name: string) => Promise<Made>): Promise<Made[]> => {
        const made: Made[] = [];
        // A few at a time, because a server has a limited number of connections to its database.
        for (let from = 0; from < count; from += 20)
          made.push(
            ...(await Promise.all(Array.from({ length: 20 }, (_, index) => make(`thing ${from + index}`)))),
          );
        return made;
      };
      const [groupId] = [await account.group('thing')];
      const agents = await each(async (name) => (await account.agent({ name, groupId })).id);
      const link = () => ({ digest: uniqueText(), expireTime: store.now() + 60 });
      const roles = (await store.roles.list(accountId, { offset: 0, limit: 100 })).map(({ id }) => id);
      return {
        agents,
        groups: [groupId, ...(await each((name) => account.group(name)))],
        departments: await each((name) => account.department(name)),
        roles: [
          ...roles,
          ...(await each(
            async (name) =>
              (
                await must(store, 'roles/create', {
                  accountId,
                  name,
                  type: 'team',
                  description: '',
                  permissions: [],
                })
              ).id,
          )),
        ],
        members: [
          owner.id,
          ...(await each(
            async (name) =>
              (
                await must(store, 'members/invite', {
                  accountId,
                  email: `${name.replace(' ', '')}@example.com`,
                  link: link(),
                })
              ).id,
          )),
        ],
        invitations: await each(async (name) => (await insertInvitation(service, account, owner, name)).id),
        sessions: await each(async (name) => {
          const agentId = agents[Number(name.split(' ')[1])]!;
          const session = { accountId, memberId: owner.id, agentId, invitationId: null, start: store.now() };
          return (await must(store, 'sessions/start', { ...session, login: 'thing', userAgent: '', geo })).id;
        }),
      };
    }
  });
