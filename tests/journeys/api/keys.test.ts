/** API keys, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestPerson } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { isClusterRun } from '../../kit/nodes/cluster-run.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { runSql } from '../../kit/server/raw-sql.ts';

interface Key {
  id: number;
  name: string;
  prefix: string;
  email: string;
  create_time: number;
  expires?: number;
  last_used?: number;
  networks: string[];
  expired: boolean;
}

const list = async (person: TestPerson): Promise<Key[]> => (await person.call('keys/list')).body['data'];

for (const { kind, skip } of databases)
  describe(`API keys on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const create = async (person: TestPerson, params = {}) =>
      (await person.call('keys/create', params)).body as unknown as { id: number; api_key: string };
    /** The response to a key: the HTTP status code, and the code of the refusal. */
    const tryKey = async (apiKey: string) => {
      const { http, body } = await service.testClient.sdkClient(apiKey).request('groups/list');
      return http === 200 ? 200 : `${http} ${body.error?.code}`;
    };
    const refused = '403 invalid_api_key';

    test('a key is 64 characters, shown once, and known afterwards by its first six', async () => {
      const { owner } = await service.account();

      const { http, body } = await owner.call('keys/create', { name: ' Nightly report ' });

      const secret = body['api_key'] as string;
      assert.deepEqual([http, body.status, Object.keys(body)], [200, 0, ['status', 'id', 'api_key']]);
      assert.match(secret, /^[A-Za-z0-9]{64}$/);
      assert.equal(await tryKey(secret), 200);
      const [, key] = await list(owner);
      assert.deepEqual(key, {
        id: body['id'],
        name: 'Nightly report',
        prefix: secret.slice(0, 6),
        email: owner.email,
        create_time: service.server.store.now(),
        networks: [],
        expired: false,
      });
    });

    test('no key is in the database, only its digest and its first six characters', async () => {
      const { owner } = await service.account();
      const { id, api_key } = await create(owner);

      const rows = await runSql(service, `select * from api_key where id = ${id}`);

      assert.equal(JSON.stringify(rows).includes(api_key.slice(0, 7)), false);
      assert.equal(rows[0]!['prefix'], api_key.slice(0, 6));
      assert.match(String(rows[0]!['digest']), /^[\w-]{43,64}$/);
    });

    test('a key stops working at the second it expires', async () => {
      const { owner } = await service.account();
      const now = service.server.store.now();
      const { api_key } = await create(owner, { expires: now + 60 });

      service.advance(59);
      assert.equal(await tryKey(api_key), 200);
      assert.equal((await list(owner))[1]!.expired, false);
      service.advance(1);

      assert.equal(await tryKey(api_key), refused);
      const [, key] = await list(owner);
      assert.deepEqual([key!.expires, key!.expired], [now + 60, true]);
    });

    test('a key cannot expire before it is created', async () => {
      const { owner } = await service.account();
      const now = service.server.store.now();

      for (const expires of [0, now - 1, now]) {
        const { http, body } = await owner.call('keys/create', { expires });
        assert.deepEqual([http, body.status, body.error?.field], [400, 1, 'expires']);
      }
      assert.equal((await list(owner)).length, 1);
    });

    test('a revoked key does not work on the next request and is in no list', async () => {
      const { owner } = await service.account();
      const { id, api_key } = await create(owner);
      assert.equal(await tryKey(api_key), 200);

      assert.deepEqual((await owner.call('keys/revoke', { id })).body, { status: 0 });

      assert.equal(await tryKey(api_key), refused);
      assert.equal((await list(owner)).length, 1);
      const again = await owner.call('keys/revoke', { id });
      assert.deepEqual([again.http, again.body.status], [403, 6]);
    });

    test('a key that revokes itself stops working', async () => {
      const { owner } = await service.account();
      const [own] = await list(owner);

      assert.deepEqual((await owner.call('keys/revoke', { id: own!.id })).body, { status: 0 });

      assert.equal(await tryKey(owner.apiKey), refused);
    });

    test('a key with networks works from there and from nowhere else', async () => {
      const { owner } = await service.account();
      const from = async (...networks: string[]) => tryKey((await create(owner, { networks })).api_key);

      assert.equal(await from('127.0.0.1'), 200);
      assert.equal(await from('127.0.0.0/8'), 200);
      assert.equal(await from('10.0.0.0/8', '127.0.0.1/32'), 200);
      assert.equal(await from('0.0.0.0/0'), 200);
      assert.equal(await from('10.0.0.0/8'), refused);
      assert.equal(await from('127.0.0.2'), refused);
      assert.equal(await from('2001:db8::/32'), refused);
      assert.equal(await from('::ffff:127.0.0.1'), 200);
      assert.equal(await from('::ffff:0:0/96'), 200);
      assert.equal(await from('::ffff:0:0/90'), refused);
    });

    test('a malformed network is reported', async () => {
      const { owner } = await service.account();

      for (const network of [
        '',
        'localhost',
        '10.0.0',
        '10.0.0.0/33',
        '10.0.0.0/8/8',
        '::/129',
        '256.0.0.1',
        ' ',
      ]) {
        const { http, body } = await owner.call('keys/create', { networks: [network] });
        assert.deepEqual([http, body.status, body.error?.field], [400, 1, 'networks.0'], network);
      }
      const many = await owner.call('keys/create', { networks: Array(33).fill('10.0.0.1') });
      assert.deepEqual([many.http, many.body.error?.field], [400, 'networks']);
    });

    test('a key has the permissions of its member at every moment, no more and no less', async () => {
      const account = await service.account();
      const { id: agent_id } = await account.agent();
      const technician = await account.member([{ type: 'team', permissions: ['team_api_key'] }]);
      const { api_key } = await create(technician);
      const connect = async () =>
        (await service.testClient.sdkClient(api_key).request('agents/connect', { agent_id })).http;
      assert.equal(await connect(), 403);

      const { roleId } = await account.grant(technician, {
        type: 'agent',
        agentId: agent_id,
        permissions: ['agent_connect'],
      });
      assert.equal(await connect(), 200);
      await account.owner.call('team/role/remove', { id: roleId });

      assert.equal(await connect(), 403);
    });

    test('technicians see and revoke their own keys, the owner everyone’s', async () => {
      const account = await service.account();
      const grant = { type: 'team', permissions: ['team_api_key'] } as const;
      const [ann, bob] = [await account.member([grant]), await account.member([grant])];
      const [hers] = await list(ann);

      assert.deepEqual(
        (await list(ann)).map((key) => key.email),
        [ann.email],
      );
      assert.deepEqual((await bob.call('keys/revoke', { id: hers!.id })).body.status, 6);
      assert.equal((await ann.call('groups/list')).http, 200);
      assert.deepEqual(
        (await list(account.owner)).map((key) => key.email),
        [account.owner.email, ann.email, bob.email],
      );
      await account.owner.call('keys/revoke', { id: hers!.id });

      assert.equal((await ann.call('groups/list')).body.error?.code, 'invalid_api_key');
    });

    test('keys of another account are not found', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const [theirs] = await list(other.owner);

      const { http, body } = await account.owner.call('keys/revoke', { id: theirs!.id });

      assert.deepEqual([http, body.status], [403, 6]);
      assert.equal(await tryKey(other.owner.apiKey), 200);
    });

    test('without the permission to manage keys nobody can list, create or revoke any', async () => {
      const account = await service.account();
      const technician = await account.member([{ type: 'team', permissions: ['team_user_admin'] }]);

      const answers = [
        await technician.call('keys/create'),
        await technician.call('keys/revoke', { id: 1 }),
        await technician.call('keys/list'),
      ];

      assert.deepEqual(
        answers.map(({ http, body }) => [http, body.status]),
        [
          [403, 8],
          [403, 8],
          [403, undefined],
        ],
      );
    });

    test('a missing, unknown, expired, revoked or misplaced key gets a byte-identical response', async () => {
      const { owner } = await service.account();
      const expired = await create(owner, { expires: service.server.store.now() + 1 });
      const revoked = await create(owner);
      const elsewhere = await create(owner, { networks: ['10.0.0.0/8'] });
      await owner.call('keys/revoke', { id: revoked.id });
      service.advance(1);
      const keys = [undefined, 'A'.repeat(64), expired.api_key, revoked.api_key, elsewhere.api_key];

      const answers = await Promise.all(
        keys.map((key) =>
          service.testClient.send({
            path: '/v1/groups/list',
            headers: key === undefined ? {} : { 'X-Api-Key': key },
          }),
        ),
      );

      const responses = answers.map(({ http, headers: { date: _moment, ...headers }, text }) => ({
        http,
        headers,
        text,
      }));
      assert.equal(responses[0]!.http, 403);
      for (const each of responses) assert.deepEqual(each, responses[0]);
    });
  });

const skip = isClusterRun && 'its second server uses the database file of the first';

test('a key shows when it was last used, also after a restart of the server', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-keys-'));
  const env = { DRAWBRIDGE_DATA: folder };
  try {
    const first = await startService({ env });
    const { owner } = await first.account();
    const [fresh] = await list(owner);
    first.advance(100);
    await owner.call('groups/list');
    await first[Symbol.asyncDispose]();

    await using second = await startService({ env });
    const { body } = await second.testClient.sdkClient(owner.apiKey).request('keys/list');

    assert.equal('last_used' in fresh!, false);
    assert.equal((body as unknown as { data: Key[] }).data[0]!.last_used, fresh!.create_time + 100);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
