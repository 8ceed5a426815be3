/** The connection history, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hmacOf } from '@drawbridge/server/edges/random';
import { must, type TestPerson, type TestAccount } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { runSql } from '../../kit/server/raw-sql.ts';

const home = { ip: '192.0.2.1', country: 'DE', region: 'Berlin', city: 'Berlin' };
const office = { ip: '198.51.100.7', country: 'FR', region: 'Paris', city: 'Paris' };

interface Page {
  offset: number;
  limit: number;
  total: number;
  filter: object;
  data: { id: number }[];
}

const list = async (person: TestPerson, params = {}): Promise<Page> =>
  (await person.call('history/list', params)).body as unknown as Page;
const ids = async (person: TestPerson, params = {}): Promise<number[]> =>
  (await list(person, params)).data.map((each) => each.id);

for (const { kind, skip } of databases)
  describe(`history on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    /** A connection that begins now, to a device or to an invitation. */
    const start = async (
      account: TestAccount,
      to: { agentId?: number; invitationId?: number },
      by?: TestPerson,
    ) => {
      const person = by ?? account.owner;
      const { id } = await must(service.server.store, 'sessions/start', {
        accountId: account.id,
        memberId: person.id,
        agentId: to.agentId ?? null,
        invitationId: to.invitationId ?? null,
        login: person.email,
        userAgent: 'browser/1.0',
        geo: home,
        start: service.server.store.now(),
      });
      return id;
    };
    const stop = (account: TestAccount, id: number) =>
      must(service.server.store, 'sessions/stop', { accountId: account.id, id, bytes: 1 });
    const invite = async (person: TestPerson): Promise<number> =>
      (await person.call('support/create')).body['data'].id;

    test('a connection to a device is listed with everything that is known of it', async () => {
      const account = await service.account();
      const group = await account.group('attic');
      const agent = await account.agent({
        name: 'desk',
        groupId: group,
        geo: office,
        os: 'win',
        version: '1.2.3',
      });
      const from = service.server.store.now();
      const id = await start(account, { agentId: agent.id });
      service.advance(60);
      await stop(account, id);
      await runSql(service, `update session set video_secret = 'v', video_size = 5 where id = ${id}`);

      const seal = hmacOf('v', `recording:${id}:${account.owner.id}`);

      const { http, body } = await account.owner.call('history/list');

      assert.equal(http, 200);
      assert.deepEqual(body, {
        offset: 0,
        limit: 20,
        total: 1,
        filter: {},
        data: [
          {
            id,
            start: from,
            stop: from + 60,
            client: [{ user_agent: 'browser/1.0', login: account.owner.email, geo: home }],
            agent: {
              id: agent.id,
              name: 'desk',
              group: 'attic',
              geo: office,
              os: 'win',
              version: '1.2.3',
              owner: account.owner.email,
            },
            ended_by: 'operator',
            bytes: 1,
            video: { url: `${service.server.config.publicUrl}/r/${id}.${account.owner.id}.${seal}`, size: 5 },
          },
        ],
      });
      assert.deepEqual(Object.keys(body), ['offset', 'limit', 'total', 'filter', 'data']);
      assert.deepEqual(Object.keys(body['data'][0] as object), [
        'id',
        'start',
        'stop',
        'client',
        'agent',
        'ended_by',
        'bytes',
        'video',
      ]);
    });

    test('missing values are absent: the end while it runs, the device of an invitation, a recording', async () => {
      const account = await service.account();
      const invitationId = await invite(account.owner);
      const from = service.server.store.now();
      const id = await start(account, { invitationId });

      const { data } = await list(account.owner);

      assert.deepEqual(data, [
        {
          id,
          start: from,
          support_id: invitationId,
          client: [{ user_agent: 'browser/1.0', login: account.owner.email, geo: home }],
          bytes: 0,
        },
      ]);
    });

    test('connections come newest first and page by page, with the total of all', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      const made: number[] = [];
      for (let count = 0; count < 25; count += 1) {
        made.unshift(await start(account, { agentId }));
        if (count % 2) service.advance(1);
      }

      const first = await list(account.owner);
      assert.deepEqual([first.total, first.data.map((each) => each.id)], [25, made.slice(0, 20)]);
      const second = await list(account.owner, { offset: 20, limit: 3 });
      assert.deepEqual([second.offset, second.limit, second.total], [20, 3, 25]);
      assert.deepEqual(
        second.data.map((each) => each.id),
        made.slice(20, 23),
      );
      assert.equal((await ids(account.owner, { limit: 100 })).length, 25);

      for (const wrong of [{ limit: 101 }, { limit: 0 }, { offset: -1 }, { video: 'yes' }, { agent_id: 0 }])
        assert.equal((await account.owner.call('history/list', wrong)).http, 400);
    });

    test('connections are found by device, invitation, time and recording, and the response repeats the filter', async () => {
      const account = await service.account();
      const { owner } = account;
      const [desk, lamp] = [await account.agent(), await account.agent()];
      const invitationId = await invite(owner);
      const first = service.server.store.now();
      const toDesk = await start(account, { agentId: desk.id });
      service.advance(10);
      const toLamp = await start(account, { agentId: lamp.id });
      service.advance(10);
      const toClient = await start(account, { invitationId });
      await runSql(service, `update session set video_secret = 'v', video_size = 1 where id = ${toLamp}`);

      assert.deepEqual(await ids(owner, { agent_id: desk.id }), [toDesk]);
      assert.deepEqual(await ids(owner, { support_id: invitationId }), [toClient]);
      assert.deepEqual(await ids(owner, { video: true }), [toLamp]);
      assert.deepEqual(await ids(owner, { video: false }), [toClient, toDesk]);
      assert.deepEqual(await ids(owner, { date_from: first + 10 }), [toClient, toLamp]);
      assert.deepEqual(await ids(owner, { date_to: first + 10 }), [toLamp, toDesk]);
      assert.deepEqual(await ids(owner, { date_from: first + 10, date_to: first + 10 }), [toLamp]);
      assert.deepEqual(await ids(owner, { agent_id: desk.id, video: true }), []);
      const { filter, total } = await list(owner, { agent_id: desk.id, video: false, date_to: first });
      assert.deepEqual([total, filter], [1, { agent_id: desk.id, date_to: first, video: false }]);
      const backwards = await owner.call('history/list', { date_from: 2, date_to: 1 });
      assert.deepEqual([backwards.http, backwards.body.error?.field], [400, 'date_to']);
    });

    test('technicians see the connections to devices whose history they may see', async () => {
      const account = await service.account();
      const group = await account.group();
      const [desk, lamp, chair] = [
        await account.agent(),
        await account.agent({ groupId: group }),
        await account.agent(),
      ];
      const [toDesk, toLamp] = [
        await start(account, { agentId: desk.id }),
        await start(account, { agentId: lamp.id }),
      ];
      await start(account, { agentId: chair.id });
      await start(account, { invitationId: await invite(account.owner) });
      const technician = await account.member([
        { type: 'agent', agentId: desk.id, permissions: ['agent_sessions'] },
        { type: 'group', groupId: group, permissions: ['agent_sessions'] },
        { type: 'agent', agentId: chair.id, permissions: ['agent_connect'] },
      ]);

      const { total, data } = await list(technician);

      assert.deepEqual([total, data.map((each) => each.id)], [2, [toLamp, toDesk]]);
      assert.deepEqual(await ids(technician, { agent_id: chair.id }), []);
      assert.deepEqual(await ids(await account.member()), []);
    });

    test('invitations are seen by those who may see them: their own, or all', async () => {
      const account = await service.account();
      const own = { type: 'quick_support', permissions: ['quick_support_admin'] } as const;
      const all = { type: 'quick_support', permissions: ['quick_support_technical'] } as const;
      const [ann, bob, chief] = [
        await account.member([own]),
        await account.member([own]),
        await account.member([all]),
      ];
      const [hers, his] = [await invite(ann), await invite(bob)];
      const [first, second] = [
        await start(account, { invitationId: hers }, ann),
        await start(account, { invitationId: his }, bob),
      ];
      const { id: agentId } = await account.agent();
      await start(account, { agentId });

      assert.deepEqual(await ids(ann), [first]);
      assert.deepEqual(await ids(bob), [second]);
      assert.deepEqual(await ids(chief), [second, first]);
      assert.deepEqual(await ids(ann, { support_id: his }), []);
      assert.equal((await ids(account.owner)).length, 3);
    });

    test('another account has a history of its own', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const { id: agentId } = await account.agent();
      await start(account, { agentId });

      assert.deepEqual(await ids(other.owner), []);
      assert.deepEqual(await ids(other.owner, { agent_id: agentId }), []);
    });

    test('a connection without keep-alives ends when it was last alive, with a line in the audit log', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      const from = service.server.store.now();
      const [silent, alive] = [await start(account, { agentId }), await start(account, { agentId })];
      service.advance(10);
      await must(service.server.store, 'sessions/alive', {
        sessions: [silent, alive].map((id) => ({ id, bytes: 300 })),
      });
      service.advance(50);
      await must(service.server.store, 'sessions/alive', { sessions: [{ id: alive, bytes: 5 }] });
      service.advance(50);

      await must(service.server.store, 'sessions/bury', { silentSince: service.server.store.now() - 60 });

      const stops = (await list(account.owner)).data.map((each) => [
        each.id,
        (each as { stop?: number }).stop,
      ]);
      assert.deepEqual(stops, [
        [alive, undefined],
        [silent, from + 10],
      ]);
      const { body } = await account.owner.call('audit/list', { operation: 'session/close' });
      assert.deepEqual(
        body['data'].map(({ input }: { input: object }) => input),
        [{ session: silent, by: 'lost', bytes: 300 }],
      );
    });
  });
