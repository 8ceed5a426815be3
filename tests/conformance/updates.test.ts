/**
 * Partial updates change what is sent and nothing else; searches find text in any script and match it
 * literally.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databases } from '../kit/server/database.ts';
import { must, type ReplyBody, type TestAccount } from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { insertInvitation } from './resources.ts';

/** Every name, and for each search in which of them it is found. */
const names = [
  'Деск',
  'ΣΊΣΥΦΟΣ',
  'İstanbul',
  'Straße',
  'ÅNGSTRÖM',
  '100% wool',
  '100 wool',
  'a_b',
  'axb',
  'back\\slash',
  'Ǆ',
  'ꭰ',
];
const searches: Record<string, string[]> = {
  дЕс: ['Деск'],
  σίσυφος: ['ΣΊΣΥΦΟΣ'],
  СИ: [],
  straSSE: [],
  STRASSE: [],
  straßE: ['Straße'],
  ångströM: ['ÅNGSTRÖM'],
  'a\u030angstro\u0308m': ['ÅNGSTRÖM'],
  '100%': ['100% wool'],
  '%': ['100% wool'],
  A_B: ['a_b'],
  _: ['a_b'],
  '\\': ['back\\slash'],
  'K\\S': ['back\\slash'],
  ǆ: ['Ǆ'],
  Ꭰ: ['ꭰ'],
  wool: ['100% wool', '100 wool'],
  "' or 1=1 --": [],
};

for (const { kind, skip } of databases)
  describe(`updates and searches on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const infoOf = async ({ owner }: TestAccount, id: number): Promise<ReplyBody> =>
      (await owner.call('agents/info', { agent_id: id })).body['data'] as ReplyBody;

    test('support/update changes the name of the client if it is sent, and nothing else', async () => {
      const account = await service.account();
      const { id } = await insertInvitation(service, account, account.owner, 'Ann');
      const info = async () =>
        (await account.owner.call('support/info', { connection_id: id })).body['data'] as ReplyBody;
      const earlier = await info();

      assert.deepEqual((await account.owner.call('support/update', { connection_id: id })).body, {
        status: 0,
      });
      assert.deepEqual(await info(), earlier);
      await account.owner.call('support/update', { connection_id: id, name: 'Bea' });
      assert.deepEqual(await info(), { ...earlier, client_name: 'Bea' });
      await account.owner.call('support/update', { connection_id: id, name: '' });
      assert.deepEqual(await info(), { ...earlier, client_name: '' });
    });

    test('agents/update changes the name if it is sent, and nothing else', async () => {
      const account = await service.account();
      const { id } = await account.agent({ groupId: await account.group() });
      const earlier = await infoOf(account, id);

      for (const params of [{}, { permanent_url: {} }]) {
        const { body } = await account.owner.call('agents/update', { id, ...params });
        assert.deepEqual(body, { status: 0, data: earlier });
      }
      await account.owner.call('agents/update', { id, name: '  Lamp  ' });
      assert.deepEqual(await infoOf(account, id), { ...earlier, name: 'Lamp' });
    });

    test('agents/update changes of the permanent link what is sent, and keeps the rest', async () => {
      const account = await service.account();
      const { id, deviceId } = await account.agent();
      const [first, second] = [`first-${id}`, `second-${id}`];
      const update = async (permanent_url: object) =>
        (await account.owner.call('agents/update', { id, permanent_url })).body;
      const link = async () =>
        ((await infoOf(account, id))['permanent_url'] as string | undefined)?.split('/p/')[1];
      const kept = async () =>
        (await service.server.store.agents.find({ accountId: account.id, memberId: 0 }, { id }))!
          .permanentPassword;

      assert.equal((await update({ enable: true })).status, 21);
      assert.equal((await update({ url: first })).status, 0);
      assert.equal(await link(), undefined);
      assert.equal((await update({ enable: true, password: 'passw0rd' })).status, 0);
      assert.equal(await link(), first);
      const password = await kept();
      await update({ url: second });
      assert.deepEqual([await link(), await kept()], [second, password]);
      await update({ enable: false });
      assert.deepEqual([await link(), await kept()], [undefined, password]);
      await update({ enable: true });
      assert.deepEqual([await link(), await kept()], [second, password]);
      await update({ password: 'an0ther one' });
      assert.equal(await link(), second);
      assert.notEqual(await kept(), password);

      const { id: other } = await account.agent();
      const taken = await account.owner.call('agents/update', { id: other, permanent_url: { url: second } });
      assert.deepEqual([taken.http, taken.body.status, taken.body.error?.code], [400, 7, 'path_taken']);
      const plain = await account.owner.call('agents/update', {
        id: other,
        permanent_url: { enable: true, password: 'passw0rd' },
      });
      assert.notEqual((plain.body['data'] as ReplyBody)['permanent_url'].split('/p/')[1], String(deviceId));
    });

    test('a name that is refused together with a link is not changed either', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const earlier = await infoOf(account, id);
      const refused: [object, number][] = [
        [{ password: 'short1' }, 21],
        [{ password: 'nodigitshere' }, 21],
        [{ password: '1234567890' }, 21],
        [{ url: 'admin' }, 7],
      ];

      for (const [permanent_url, status] of refused) {
        const { http, body } = await account.owner.call('agents/update', {
          id,
          name: 'changed',
          permanent_url,
        });
        assert.deepEqual([http, body.status], [400, status]);
        assert.deepEqual(await infoOf(account, id), earlier);
      }
    });

    test('groups/edit changes the name or the position, whichever is sent', async () => {
      const account = await service.account();
      const [one, two] = [await account.group('one'), await account.group('two')];
      const list = async () => (await account.owner.call('groups/list')).body['data'] as ReplyBody[];

      await account.owner.call('groups/edit', { id: one });
      assert.deepEqual(await list(), [
        { id: one, name: 'one' },
        { id: two, name: 'two' },
      ]);
      await account.owner.call('groups/edit', { id: one, order: 9 });
      assert.deepEqual(await list(), [
        { id: two, name: 'two' },
        { id: one, name: 'one' },
      ]);
      await account.owner.call('groups/edit', { id: one, name: 'uno' });
      assert.deepEqual(await list(), [
        { id: two, name: 'two' },
        { id: one, name: 'uno' },
      ]);
    });

    test('team/role/edit changes the name, the description or the permissions, whichever is sent, and never the type', async () => {
      const account = await service.account();
      const given = { name: 'Watch', description: 'Look only', type: 'agent', permission: ['agent_connect'] };
      const { id } = (await account.owner.call('team/role/create', given)).body;
      const info = async () => (await account.owner.call('team/role/info', { id })).body['data'] as ReplyBody;
      const earlier = await info();

      assert.deepEqual(earlier, {
        id,
        name: 'Watch',
        type: 'agent',
        description: 'Look only',
        default: false,
        permission: ['agent_connect'],
      });
      const changes = [
        {},
        { name: 'See' },
        { description: '' },
        { permission: ['agent_preview', 'agent_chat'] },
        { permission: [] },
      ];
      let expected = earlier;
      for (const change of changes) {
        assert.deepEqual((await account.owner.call('team/role/edit', { id, ...change, type: 'team' })).body, {
          status: 0,
        });
        expected = {
          ...expected,
          ...change,
          ...('permission' in change && { permission: change.permission.toReversed() }),
        };
        assert.deepEqual(await info(), expected);
      }
    });

    test('account/update changes the settings that are sent, and keeps the others', async () => {
      const { owner } = await service.account();
      const info = async () => (await owner.call('account/info')).body['data'] as ReplyBody;
      const none = { approve_devices: false, record: false, onetime_url: 'allow' } as const;
      const changes = [
        {},
        { record: true },
        { approve_devices: true },
        { onetime_url: 'forbid' },
        { record: false },
        none,
      ] as const;

      assert.deepEqual(await info(), none);
      let expected: ReplyBody = none;
      for (const change of changes) {
        assert.deepEqual((await owner.call('account/update', change)).body, { status: 0 });
        expected = { ...expected, ...change };
        assert.deepEqual(await info(), expected);
      }
    });

    test('agents/favorite is for the member who sends it, and can be undone', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const favorite = async () => (await infoOf(account, id))['favorite'] as boolean;

      for (const value of [true, true, false, false]) {
        assert.deepEqual((await account.owner.call('agents/favorite', { id, favorite: value })).body, {
          status: 0,
        });
        assert.equal(await favorite(), value);
      }
    });

    const listed: Record<string, (account: TestAccount, name: string) => Promise<unknown>> = {
      'team/role/list': ({ id: accountId }, name) =>
        must(service.server.store, 'roles/create', {
          accountId,
          name,
          type: 'agent',
          description: '',
          permissions: [],
        }),
      'team/department/list': (account, name) => account.department(name),
      'agents/list': (account, name) => account.agent({ name }),
    };
    for (const [list, make] of Object.entries(listed))
      test(`${list} finds text in any case of any script, and matches every character literally`, async () => {
        const account = await service.account();
        for (const name of names) await make(account, name);

        for (const [search, expected] of Object.entries(searches)) {
          const { body } = await account.owner.call(list as 'agents/list', { search });
          assert.deepEqual(
            (body['data'] as { name: string }[]).map(({ name }) => name),
            expected,
            `searching ${search}`,
          );
        }
      });

    test('agents/list searches the name of the group and the addresses too', async () => {
      const account = await service.account();
      const groupId = await account.group('Бухгалтерия');
      const grouped = await account.agent({ name: 'one', groupId });
      const addressed = await account.agent({
        name: 'two',
        addresses: ['10.20.30.40'],
        geo: { ip: '203.0.113.9', country: '', region: '', city: '' },
      });
      const found = async (search: string) =>
        ((await account.owner.call('agents/list', { search })).body['data'] as { id: number }[]).map(
          ({ id }) => id,
        );

      assert.deepEqual(await found('бухгалтер'), [grouped.id]);
      assert.deepEqual(await found('20.30'), [addressed.id]);
      assert.deepEqual(await found('203.0.113.9'), [addressed.id]);
      assert.deepEqual(await found('10_20'), []);
    });

    test('team/member/list finds part of an address in any case, and matches every character literally', async () => {
      const account = await service.account();
      const emails = ['Ann_Bee@Example.com', 'annxbee@example.com', '100%@example.com', 'Жанна@example.com'];
      for (const email of emails) await account.owner.call('team/member/invite', { email });
      const found = async (search: string) =>
        ((await account.owner.call('team/member/list', { search })).body['data'] as { email: string }[]).map(
          ({ email }) => email,
        );

      assert.deepEqual(await found('ann_B'), ['Ann_Bee@Example.com']);
      assert.deepEqual(await found('0%'), ['100%@example.com']);
      assert.deepEqual(await found('жАН'), ['Жанна@example.com']);
    });
  });
