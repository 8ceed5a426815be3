/**
 * What a reply shows depends on permissions too: fields that are left out, and lists of exactly what the
 * caller may see.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AgentPermission } from '@drawbridge/contract/permissions';
import { databases } from '../kit/server/database.ts';
import {
  must,
  type ReplyBody,
  type TestPerson,
  type TestAccount,
  type TestGrant,
} from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import * as reference from './reference.ts';
import { insertInvitation } from './resources.ts';

const geo = { ip: '198.51.100.7', country: '', region: '', city: '' };

for (const { kind, skip } of databases)
  describe(`rights in replies on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    /** A device with a permanent link, in a group, that was connected to once. */
    async function device(account: TestAccount, groupId: number | null = null): Promise<number> {
      const { store } = service.server;
      const { id } = await account.agent({ groupId });
      const permanent = { enable: true, url: `link-${account.id}-${id}`, password: 'hash' };
      await must(store, 'agents/update', { accountId: account.id, by: account.owner.id, id, permanent });
      const session = { accountId: account.id, memberId: account.owner.id, agentId: id, invitationId: null };
      const start = store.now();
      await must(store, 'sessions/start', { ...session, start, login: 'x', userAgent: 'Browser', geo });
      return id;
    }

    const idsIn = (body: ReplyBody): number[] => (body['data'] as { id: number }[]).map(({ id }) => id);
    const infoFor = async (person: TestPerson, id: number): Promise<ReplyBody> =>
      (await person.call('agents/info', { agent_id: id })).body['data'] as ReplyBody;

    /** The fields of a device that are credentials or history, as a caller sees them. */
    const shown = (agent: ReplyBody) => ({
      permanent_url: 'permanent_url' in agent,
      onetime_url: 'onetime_url' in agent,
      preview_url: agent['preview_url'] !== '',
      sessions: 'last' in (agent['sessions'] as object) && (agent['sessions'] as ReplyBody)['total'] === 1,
    });

    const holders = {
      'on the device': ({ agentId }: Place): TestGrant => ({ type: 'agent', permissions: [], agentId }),
      'on its group': ({ groupId }: Place): TestGrant => ({ type: 'group', permissions: [], groupId }),
      'through a department': ({ groupId }: Place): TestGrant => ({
        type: 'group',
        permissions: [],
        groupId,
        byDepartment: true,
      }),
    };
    interface Place {
      agentId: number;
      groupId: number;
    }

    for (const [holder, grantOn] of Object.entries(holders))
      test(`links, preview and history of a device are shown only with the permission for each, held ${holder}`, async () => {
        const account = await service.account();
        const groupId = await account.group();
        const agentId = await device(account, groupId);
        const people = await Promise.all(
          reference.documentedPermissions['agent']!.map(async (permission) => {
            const permissions = [permission as AgentPermission];
            return {
              permission,
              person: await account.member([{ ...grantOn({ agentId, groupId }), permissions }]),
            };
          }),
        );

        for (const { permission, person } of people) {
          const connects = permission === 'agent_connect';
          const expected = {
            permanent_url: connects,
            onetime_url: connects,
            preview_url: permission === 'agent_preview',
            sessions: permission === 'agent_sessions',
          };
          const info = await infoFor(person, agentId);
          const [listed] = (await person.call('agents/list')).body['data'] as ReplyBody[];

          assert.deepEqual(shown(info), expected, permission);
          assert.deepEqual(shown(listed!), expected, permission);
          if (!expected.sessions) assert.deepEqual(info['sessions'], { total: 0 });
        }
      });

    test('a permission on one device shows nothing of another', async () => {
      const account = await service.account();
      const [near, far] = [await device(account), await device(account)];
      const every = reference.documentedPermissions['agent'] as AgentPermission[];
      const person = await account.member([
        { type: 'agent', permissions: every, agentId: near },
        { type: 'agent', permissions: ['agent_chat'], agentId: far },
      ]);

      const all = { permanent_url: true, onetime_url: true, preview_url: true, sessions: true };
      const none = { permanent_url: false, onetime_url: false, preview_url: false, sessions: false };
      const listed = (await person.call('agents/list')).body['data'] as ReplyBody[];
      assert.deepEqual(listed.map(shown), [all, none]);
      assert.deepEqual(shown(await infoFor(person, far)), none);
      assert.deepEqual(shown(await infoFor(account.owner, far)), all);
    });

    test('agents/list shows exactly the devices that some grant with a permission covers', async () => {
      const account = await service.account();
      const [shared, other] = [await account.group(), await account.group()];
      const place = async (groupId: number | null) => (await account.agent({ groupId })).id;
      const inShared = [await place(shared), await place(shared)];
      const [inOther, loose, hidden] = [await place(other), await place(null), await place(null)];
      const permissions = ['agent_chat'] as const;
      const cases: [TestGrant[], number[]][] = [
        [[], []],
        [[{ type: 'agent', permissions, agentId: loose }], [loose]],
        [[{ type: 'group', permissions, groupId: shared }], inShared],
        [[{ type: 'agent', permissions: [], agentId: loose }], []],
        [[{ type: 'group', permissions: [], groupId: shared }], []],
        [[{ type: 'quick_support', permissions: ['agent_connect'] }], []],
        [[{ type: 'team', permissions: ['team_permanent_access', 'team_user_admin'] }], []],
        [
          [
            { type: 'agent', permissions, agentId: inOther, byDepartment: true },
            { type: 'group', permissions, groupId: shared },
          ],
          [...inShared, inOther],
        ],
      ];

      for (const [grants, expected] of cases) {
        const person = await account.member(grants);
        assert.deepEqual(idsIn((await person.call('agents/list')).body), expected, JSON.stringify(grants));
        for (const id of [...inShared, inOther, loose, hidden])
          assert.equal(
            (await person.call('agents/info', { agent_id: id })).http,
            expected.includes(id) ? 200 : 403,
          );
      }
      assert.equal(idsIn((await account.owner.call('agents/list')).body).length, 5);
    });

    test('a device that changes its group is seen by members of the new one and no longer by those of the old', async () => {
      const account = await service.account();
      const [from, to] = [await account.group(), await account.group()];
      const { id } = await account.agent({ groupId: from });
      const permissions = ['agent_chat'] as const;
      const [earlier, later] = [
        await account.member([{ type: 'group', permissions, groupId: from }]),
        await account.member([{ type: 'group', permissions, groupId: to }]),
      ];
      assert.deepEqual(
        [idsIn((await earlier.call('agents/list')).body), idsIn((await later.call('agents/list')).body)],
        [[id], []],
      );

      await account.owner.call('groups/agent/insert', { id: to, agent_id: id });

      assert.deepEqual(
        [idsIn((await earlier.call('agents/list')).body), idsIn((await later.call('agents/list')).body)],
        [[], [id]],
      );
    });

    test('groups/list shows the groups in which the caller sees a device, or all to those with team_permanent_access', async () => {
      const account = await service.account();
      const [seen, unseen, empty] = [await account.group(), await account.group(), await account.group()];
      const { id: agentId } = await account.agent({ groupId: seen });
      await account.agent({ groupId: unseen });
      const permissions = ['agent_chat'] as const;
      const cases: [TestGrant[], number[]][] = [
        [[], []],
        [[{ type: 'agent', permissions, agentId }], [seen]],
        [[{ type: 'group', permissions, groupId: seen, byDepartment: true }], [seen]],
        [[{ type: 'group', permissions, groupId: empty }], []],
        [[{ type: 'team', permissions: ['team_user_admin'] }], []],
        [[{ type: 'team', permissions: ['team_permanent_access'] }], [seen, unseen, empty]],
      ];

      for (const [grants, expected] of cases) {
        const person = await account.member(grants);
        assert.deepEqual(idsIn((await person.call('groups/list')).body), expected, JSON.stringify(grants));
      }
      assert.deepEqual(idsIn((await account.owner.call('groups/list')).body), [seen, unseen, empty]);
    });

    test('invitations: one’s own with quick_support_admin, everyone’s with quick_support_technical, in the list and in the history', async () => {
      const account = await service.account();
      const quick = (permission: 'quick_support_admin' | 'quick_support_technical') =>
        account.member([{ type: 'quick_support', permissions: [permission] }]);
      const [ann, bea, all, none] = [
        await quick('quick_support_admin'),
        await quick('quick_support_admin'),
        await quick('quick_support_technical'),
        await account.member(),
      ];
      const [ofAnn, ofBea] = [
        (await insertInvitation(service, account, ann)).id,
        (await insertInvitation(service, account, bea)).id,
      ];
      for (const invitationId of [ofAnn, ofBea])
        await must(service.server.store, 'sessions/start', {
          accountId: account.id,
          memberId: null,
          agentId: null,
          invitationId,
          start: service.server.store.now(),
          login: '',
          userAgent: '',
          geo,
        });
      const listed = async (person: TestPerson) => idsIn((await person.call('support/list')).body);
      const past = async (person: TestPerson) =>
        ((await person.call('history/list')).body['data'] as ReplyBody[]).map(
          (session) => session['support_id'] as number,
        );

      assert.deepEqual(
        [await listed(ann), await listed(bea), await listed(all)],
        [[ofAnn], [ofBea], [ofBea, ofAnn]],
      );
      assert.deepEqual(
        [await past(ann), await past(bea), await past(all), await past(none)],
        [[ofAnn], [ofBea], [ofBea, ofAnn], []],
      );
      for (const [person, id, http] of [
        [ann, ofAnn, 200],
        [ann, ofBea, 403],
        [all, ofAnn, 200],
        [none, ofAnn, 403],
      ] as const)
        assert.equal((await person.call('support/info', { connection_id: id })).http, http);
      assert.equal((await none.call('support/list')).http, 403);
    });

    test('the name of a client is for the owner alone, also if someone else set it', async () => {
      const account = await service.account();
      const person = await account.member([
        { type: 'quick_support', permissions: reference.documentedPermissions['quick_support'] as never },
      ]);
      const created = (await person.call('support/create', { client_name: 'Ann' })).body['data'] as ReplyBody;
      const id = created['id'] as number;
      const nameFor = async (who: TestPerson) => [
        ((await who.call('support/info', { connection_id: id })).body['data'] as ReplyBody)[
          'client_name'
        ] as string,
        ((await who.call('support/list')).body['data'] as ReplyBody[])[0]!['client_name'] as string,
      ];

      assert.equal(created['client_name'], '');
      assert.deepEqual(
        [await nameFor(person), await nameFor(account.owner)],
        [
          ['', ''],
          ['Ann', 'Ann'],
        ],
      );
    });

    test('links of an invitation are shown only to those who may use them, wherever it is shown', async () => {
      const account = await service.account();
      const { store } = service.server;
      const event = { accountId: account.id, event: 'client_joins', lifetime: 86_400 } as const;
      const shownTo = async (permissions: string[]) => {
        const person = await account.member([{ type: 'quick_support', permissions: permissions as never }]);
        const created = (await person.call('support/create')).body['data'] as ReplyBody;
        const id = created['id'] as number;
        await must(store, 'invitations/happen', { ...event, id, client: { os: 'win', preview: 'pic' } });
        const info = (await person.call('support/info', { connection_id: id })).body['data'] as ReplyBody;
        const [listed] = (await person.call('support/list')).body['data'] as ReplyBody[];
        assert.equal(created['connect_url'], info['connect_url']);
        assert.deepEqual(listed, info);
        return { connect: info['connect_url'] !== '', preview: info['client_preview_url'] !== '' };
      };

      for (const permission of reference.documentedPermissions['quick_support']!)
        assert.deepEqual(
          await shownTo(['quick_support_admin', permission]),
          { connect: permission === 'agent_connect', preview: permission === 'agent_preview' },
          permission,
        );
    });

    test('history/list shows connections to exactly the devices on which the caller holds agent_sessions', async () => {
      const account = await service.account();
      const groupId = await account.group();
      const [inGroup, loose, hidden] = [
        await device(account, groupId),
        await device(account),
        await device(account),
      ];
      const permissions = ['agent_sessions'] as const;
      const others = (reference.documentedPermissions['agent'] as AgentPermission[]).filter(
        (each) => each !== 'agent_sessions',
      );
      const person = await account.member([
        { type: 'group', permissions, groupId, byDepartment: true },
        { type: 'agent', permissions, agentId: loose },
        { type: 'agent', permissions: others, agentId: hidden },
      ]);
      const past = async (who: TestPerson, params = {}) =>
        ((await who.call('history/list', params)).body['data'] as ReplyBody[]).map(
          ({ agent }) => (agent as ReplyBody)['id'] as number,
        );

      assert.deepEqual(await past(person), [loose, inGroup]);
      assert.deepEqual(await past(person, { agent_id: hidden }), []);
      assert.equal((await person.call('history/list')).body['total'], 2);
      assert.deepEqual(await past(account.owner), [hidden, loose, inGroup]);
    });

    test('keys/list shows one’s own keys, and everyone’s to the owner', async () => {
      const account = await service.account();
      const person = await account.member([{ type: 'team', permissions: ['team_api_key'] }]);
      const emails = async (who: TestPerson) =>
        ((await who.call('keys/list')).body['data'] as ReplyBody[]).map(({ email }) => email as string);

      assert.deepEqual(await emails(person), [person.email]);
      assert.deepEqual(await emails(account.owner), [account.owner.email, person.email]);
    });

    test('favorite is what the caller marked, and nobody else’s mark', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const person = await account.member([{ type: 'agent', permissions: ['agent_chat'], agentId: id }]);
      await must(service.server.store, 'agents/favor', {
        accountId: account.id,
        memberId: person.id,
        id,
        favorite: true,
      });

      assert.deepEqual(
        [(await infoFor(person, id))['favorite'], (await infoFor(account.owner, id))['favorite']],
        [true, false],
      );
    });
  });
