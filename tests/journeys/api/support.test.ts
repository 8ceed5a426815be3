/** Invitations, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must, type TestPerson } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

interface Connection {
  id: number;
  status: number;
  create_time: number;
  invite_code: string;
  invite_url: string;
  connect_url: string;
  client_name: string;
  client_os: string;
  client_preview_url: string;
}

const create = async (person: TestPerson, client_name?: string): Promise<Connection> =>
  (await person.call('support/create', client_name === undefined ? {} : { client_name })).body['data'];
const info = async (person: TestPerson, connection_id: number): Promise<Connection> =>
  (await person.call('support/info', { connection_id })).body['data'];
const listed = async (person: TestPerson): Promise<number[]> =>
  (await person.call('support/list')).body['data'].map((each: Connection) => each.id);

const day = 86_400;

for (const { kind, skip } of databases)
  describe(`invitations on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    /** Something that happens to an invitation when people join and leave. */
    const happen = (
      accountId: number,
      id: number,
      event: 'client_joins' | 'operator_joins' | 'client_leaves',
    ) =>
      must(service.server.store, 'invitations/happen', {
        accountId,
        id,
        event,
        lifetime: 7 * day,
        client: { os: 'win', preview: 'thumbnail' },
      });

    test('a new invitation waits for the client, with a code of 9 digits and its own links', async () => {
      const { owner } = await service.account();

      const { http, body } = await owner.call('support/create', { client_name: ' Ann ' });

      const made = body['data'] as Connection;
      assert.equal(http, 200);
      assert.deepEqual(Object.keys(body), ['data']);
      assert.deepEqual(
        { ...made, id: 0, invite_code: '', invite_url: '', connect_url: '' },
        {
          id: 0,
          status: 0,
          create_time: service.server.store.now(),
          invite_code: '',
          invite_url: '',
          connect_url: '',
          client_name: 'Ann',
          client_os: '',
          client_preview_url: '',
        },
      );
      assert.match(made.invite_code, /^[1-9][0-9]{8}$/);
      assert.equal(made.invite_url, `${service.server.config.publicUrl}/i/${made.invite_code}`);
      assert.ok(made.connect_url.startsWith(`${service.server.config.publicUrl}/o/`));
      assert.deepEqual(await info(owner, made.id), made);
    });

    test('the list holds the open invitations, newest first, without the closed ones', async () => {
      const { owner } = await service.account();
      const [first, second, third] = [await create(owner), await create(owner), await create(owner)];
      assert.deepEqual(await listed(owner), [third.id, second.id, first.id]);

      await owner.call('support/close', { connection_id: second.id });

      assert.deepEqual(await listed(owner), [third.id, first.id]);
      assert.equal((await info(owner, second.id)).status, 3);
    });

    test('closing returns only its HTTP status code, and closing twice is invalid', async () => {
      const { owner } = await service.account();
      const { id } = await create(owner);
      const close = () =>
        service.testClient.send({
          method: 'POST',
          path: `/v1/support/close?connection_id=${id}`,
          headers: { 'X-Api-Key': owner.apiKey },
        });

      const [once, twice] = [await close(), await close()];

      assert.deepEqual([once.http, once.text], [200, '']);
      assert.deepEqual([twice.http, twice.text], [400, '']);
      assert.equal(once.headers['content-length'], '0');
    });

    test('a closed invitation gives no more links to operators', async () => {
      const { owner } = await service.account();
      const { id } = await create(owner);
      await owner.call('support/close', { connection_id: id });

      const { http, body } = await owner.call('support/connect', { connection_id: id });

      assert.deepEqual(
        [http, body.error?.code, body.error?.field],
        [400, 'connection_closed', 'connection_id'],
      );
    });

    test('an invitation nobody joined is closed after seven days, one that was joined is not', async () => {
      const account = await service.account();
      const [left, joined] = [await create(account.owner), await create(account.owner)];
      await happen(account.id, joined.id, 'client_joins');
      await happen(account.id, joined.id, 'client_leaves');

      service.advance(7 * day - 1);
      assert.deepEqual(await listed(account.owner), [joined.id, left.id]);
      service.advance(1);

      assert.deepEqual(await listed(account.owner), [joined.id]);
      assert.equal((await info(account.owner, left.id)).status, 3);
      assert.equal((await account.owner.call('support/close', { connection_id: left.id })).http, 400);
      assert.equal((await account.owner.call('support/connect', { connection_id: left.id })).http, 400);
      assert.equal((await account.owner.call('support/close', { connection_id: joined.id })).http, 200);
    });

    test('the client joins, the operator joins, the client leaves: the record follows', async () => {
      const account = await service.account();
      const { id } = await create(account.owner, 'Ann');
      const seen = async () => {
        const { status, client_os, client_preview_url } = await info(account.owner, id);
        return [status, client_os, client_preview_url];
      };

      await happen(account.id, id, 'client_joins');
      const preview = `${service.server.config.publicUrl}/preview/thumbnail`;
      assert.deepEqual(await seen(), [1, 'win', preview]);
      await happen(account.id, id, 'operator_joins');
      assert.deepEqual(await seen(), [2, 'win', preview]);
      await happen(account.id, id, 'client_leaves');

      assert.deepEqual(await seen(), [0, '', '']);
    });

    test('the operator may come first: the connection stays new and becomes active with the client', async () => {
      const account = await service.account();
      const { id } = await create(account.owner);

      await happen(account.id, id, 'operator_joins');
      assert.equal((await info(account.owner, id)).status, 0);
      await happen(account.id, id, 'client_joins');

      assert.equal((await info(account.owner, id)).status, 2);
    });

    test('the name of the client is for the owner alone', async () => {
      const account = await service.account();
      const technician = await account.member([
        { type: 'quick_support', permissions: ['quick_support_technical'] },
      ]);
      const made = await create(technician, 'Ann from accounts');

      assert.equal(made.client_name, '');
      assert.equal((await info(technician, made.id)).client_name, '');
      assert.equal((await technician.call('support/list')).body['data'][0].client_name, '');
      assert.equal((await info(account.owner, made.id)).client_name, 'Ann from accounts');
    });

    test('a new name of the client is stored, even an empty one, and without a name nothing changes', async () => {
      const { owner } = await service.account();
      const { id } = await create(owner, 'Ann');
      const rename = async (params: object) => {
        assert.deepEqual((await owner.call('support/update', { connection_id: id, ...params })).body, {
          status: 0,
        });
        return (await info(owner, id)).client_name;
      };

      assert.equal(await rename({}), 'Ann');
      assert.equal(await rename({ name: 'Боб' }), 'Боб');
      assert.equal(await rename({ name: '' }), '');
    });

    test('technicians with access to their own invitations do not see that others exist', async () => {
      const account = await service.account();
      const own = { type: 'quick_support', permissions: ['quick_support_admin', 'agent_connect'] } as const;
      const [ann, bob] = [await account.member([own]), await account.member([own])];
      const [hers, his] = [await create(ann), await create(bob)];

      assert.deepEqual(await listed(ann), [hers.id]);
      for (const operation of ['support/info', 'support/connect', 'support/close'] as const) {
        const foreign = await ann.call(operation, { connection_id: his.id });
        const absent = await ann.call(operation, { connection_id: 987_654_321 });
        assert.deepEqual([foreign.http, foreign.body], [absent.http, absent.body]);
        assert.equal(foreign.http, 403);
      }
      assert.equal((await info(bob, his.id)).status, 0);
      assert.deepEqual(await listed(account.owner), [his.id, hers.id]);
    });

    test('connecting to an invitation requires the permission to see screens too', async () => {
      const account = await service.account();
      const mute = await account.member([{ type: 'quick_support', permissions: ['quick_support_admin'] }]);
      const { id } = await create(mute);

      const { http, body } = await mute.call('support/connect', { connection_id: id });

      assert.deepEqual([http, body.error?.code], [403, 'forbidden']);
    });

    test('an unlimited plan reports as many as every client can count', async () => {
      const { owner } = await service.account();
      await create(owner);

      assert.equal((await owner.call('support/list')).body['remain'], 2_147_483_647);
    });

    test('each invitation counts, even when it is closed; then 402 until the month is over', async () => {
      const account = await service.account();
      const { owner } = account;
      await must(service.server.store, 'plan/set', { accountId: account.id, plan: { invitations: 2 } });
      const remain = async () => (await owner.call('support/list')).body['remain'] as number;
      assert.equal(await remain(), 2);

      const { id } = await create(owner);
      assert.equal(await remain(), 1);
      await owner.call('support/close', { connection_id: id });
      await create(owner);
      assert.equal(await remain(), 0);
      const refused = await owner.call('support/create');

      assert.deepEqual([refused.http, refused.body.error?.code], [402, 'plan_limit']);
      assert.equal('status' in refused.body, false);
      assert.equal((await listed(owner)).length, 1);
      const ends = (await owner.call('plan/info')).body['data'].invitations.resets as number;
      service.advance(ends - service.server.store.now() - 1);
      assert.equal((await owner.call('support/create')).http, 402);
      service.advance(1);
      assert.equal(await remain(), 2);
      assert.equal((await owner.call('support/create')).http, 200);
      assert.equal(await remain(), 1);
    });

    test('a plan without invitations refuses the first one, and a larger plan allows it at once', async () => {
      const account = await service.account();
      const allow = (invitations: number | null) =>
        must(service.server.store, 'plan/set', { accountId: account.id, plan: { invitations } });

      await allow(0);
      assert.equal((await account.owner.call('support/create')).http, 402);
      await allow(1);
      assert.equal((await account.owner.call('support/create')).http, 200);
      await allow(null);

      assert.equal((await account.owner.call('support/create')).http, 200);
    });

    test('two invitations that are open at the same time never share a code', async () => {
      const { owner } = await service.account();

      const made = await Promise.all(Array.from({ length: 30 }, () => create(owner)));

      assert.equal(new Set(made.map((each) => each.invite_code)).size, 30);
      assert.equal(new Set(made.map((each) => each.connect_url)).size, 30);
    });
  });
