/** What a token of an identity provider cannot do: beyond its account, its creator, its time, or its size. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must, type TestAccount } from '../kit/server/account.ts';
import { openProvider, createProvider, patchOf, type ScimProvider } from './scim-provider.ts';
import { openSignedInPanel } from '../kit/server/panel.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { oktaActive, oktaCreate, oktaCreateGroup } from './okta-requests.ts';

describe('rights of provisioning', () => {
  let service: TestService;
  before(async () => void (service = await startService()));
  after(() => service[Symbol.asyncDispose]());

  const provider = (account: TestAccount): Promise<ScimProvider> =>
    createProvider(service.testClient, account.owner);
  const addUser = async (by: ScimProvider, email: string) =>
    (await by.send('POST', '/Users', oktaCreate(email, email))).body;

  /** What the audit log says of tokens that were used and give nothing any more. */
  const refusedUses = async (account: TestAccount): Promise<string[]> =>
    (await account.owner.call('audit/list', { operation: 'scim/token-use' })).body['data'].map(
      ({ outcome }: { outcome: string }) => outcome,
    );

  test('a token of another account finds nothing, and both accounts may have the same address', async () => {
    const [own, foreign] = [await service.account(), await service.account()];
    const [here, there] = [await provider(own), await provider(foreign)];
    const user = await addUser(here, 'shared@example.com');
    const group = (await here.send('POST', '/Groups', oktaCreateGroup('Own'))).body;

    const tries = [
      await there.send('GET', `/Users/${user.id}`),
      await there.send('PUT', `/Users/${user.id}`, oktaCreate('x@example.com', 'x')),
      await there.send('PATCH', `/Users/${user.id}`, oktaActive(false)),
      await there.send('DELETE', `/Users/${user.id}`),
      await there.send('GET', `/Groups/${group.id}`),
      await there.send('PATCH', `/Groups/${group.id}`, patchOf({ op: 'add', path: 'members', value: [] })),
      await there.send('DELETE', `/Groups/${group.id}`),
    ];
    const mixed = await there.send('POST', '/Groups', oktaCreateGroup('Mixed', user.id));
    const listed = await there.send('GET', '/Users?filter=externalId+eq+%22shared@example.com%22');
    const again = await there.send('GET', `/Users/${user.id}`);
    const same = await there.send('POST', '/Users', oktaCreate('shared@example.com', 's'));

    assert.deepEqual(
      tries.map(({ http }) => http),
      Array(7).fill(404),
    );
    assert.deepEqual([mixed.http, mixed.body.scimType], [400, 'invalidValue']);
    assert.equal(listed.body.totalResults, 0);
    assert.equal(same.http, 201);
    assert.equal(again.http, 404);
    const audited = async (operation: string) =>
      (await foreign.owner.call('audit/list', { operation })).body['data'].map(
        ({ email, outcome, input }: Record<string, unknown>) => [email, outcome, input],
      );
    const by = ['provisioning token Okta', 'not_found'];
    const [person, department] = [Number(user.id), Number(group.id)];
    assert.deepEqual(await audited('scim/user-patch'), [[...by, { id: person, changed: 'active' }]]);
    assert.deepEqual(await audited('scim/user-remove'), [[...by, { id: person }]]);
    assert.deepEqual(await audited('scim/group-remove'), [[...by, { id: department }]]);
    for (const [operation, id] of [
      ['scim/user-replace', person],
      ['scim/group-patch', department],
    ] as const) {
      const [line, ...others] = await audited(operation);
      assert.deepEqual([line.slice(0, 2), line[2].id, others], [by, id, []], operation);
    }
    const created = (await audited('scim/group-create')).map((line: unknown[]) => line[1]);
    assert.deepEqual(created, ['invalid_value']);
    // Reads of what is missing leave one line a minute, whatever is read.
    const reads = [...(await audited('scim/user-read')), ...(await audited('scim/group-read'))];
    assert.deepEqual(reads, [[...by, { id: user.id }]]);
  });

  test('the owner, server administrators and people of directories are not disabled', async () => {
    const account = await service.account();
    const [by, admin] = [await provider(account), await account.member()];
    const { store } = service.server;
    const member = { accountId: account.id, id: admin.id };
    await must(store, 'operators/add', { member });

    const refused = [];
    for (const id of [account.owner.id, admin.id])
      refused.push(
        await by.send('PATCH', `/Users/${id}`, oktaActive(false)),
        await by.send('DELETE', `/Users/${id}`),
        await by.send('PUT', `/Users/${id}`, oktaCreate('other@example.com', 'x')),
      );
    const named = await by.send(
      'PATCH',
      `/Users/${account.owner.id}`,
      patchOf({ op: 'add', path: 'title', value: 'Chief' }),
    );

    assert.deepEqual(
      refused.map(({ http }) => http),
      Array(6).fill(403),
    );
    assert.match(refused[0]!.body.detail, /owner of the account and server administrators/);
    assert.deepEqual([named.http, named.body.title, named.body.active], [200, 'Chief', true]);
    assert.equal((await account.owner.call('team/member/list')).http, 200);
    await must(store, 'operators/remove', { member, evenLast: true });
  });

  test('a token gives nobody more than its creator may give, and loses what its creator loses', async () => {
    const account = await service.account();
    const owner = await provider(account);
    const group = (await owner.send('POST', '/Groups', oktaCreateGroup('Billing'))).body;
    const user = await addUser(owner, 'bob@example.com');
    const chief = await account.member([{ type: 'team', permissions: ['team_billing_admin'] }]);
    const admin = await account.member([{ type: 'team', permissions: ['team_user_admin'] }]);
    const { body: role } = await account.owner.call('team/role/create', {
      name: 'Billing',
      description: '',
      type: 'team',
      permission: ['team_billing_admin'],
    });
    await account.owner.call('team/department/access/add', {
      department_id: Number(group.id),
      role_id: role['id'],
    });
    const by = await createProvider(service.testClient, admin);
    const join = (id: number | string) =>
      patchOf({ op: 'add', path: 'members', value: [{ value: String(id) }] });

    const joined = await by.send('PATCH', `/Groups/${group.id}`, join(user.id));
    const moved = await by.send(
      'PATCH',
      `/Users/${chief.id}`,
      patchOf({ op: 'replace', path: 'emails', value: [{ value: 'mine@example.com', primary: true }] }),
    );
    await by.send('PATCH', `/Users/${chief.id}`, oktaActive(false));
    const movedWhileOff = await by.send(
      'PATCH',
      `/Users/${chief.id}`,
      patchOf({ op: 'replace', path: 'emails', value: [{ value: 'mine@example.com', primary: true }] }),
    );
    await by.send('PATCH', `/Users/${chief.id}`, oktaActive(true));
    const allowed = await owner.send('PATCH', `/Groups/${group.id}`, join(user.id));
    const meanwhile = await by.send('GET', '/Users');
    await account.owner.call('team/member/remove', { email: (await account.member()).email });
    await owner.send('PATCH', `/Users/${admin.id}`, oktaActive(false));
    const stopped = [
      await by.send('GET', '/Users'),
      await by.send('PATCH', `/Users/${user.id}`, oktaActive(false)),
    ];
    const { body: tokens } = await account.owner.call('team/scim/token/list');

    assert.equal(joined.http, 403);
    assert.match(joined.body.detail, /exceed what the creator/);
    assert.deepEqual([moved.http, movedWhileOff.http], [403, 403]);
    const refusalsOf = async (operation: string) =>
      (await account.owner.call('audit/list', { operation })).body['data'].flatMap(
        ({ outcome }: { outcome: string }) => (outcome === 'done' ? [] : [outcome]),
      );
    assert.deepEqual(await refusalsOf('scim/group-patch'), ['beyond_own_rights']);
    assert.deepEqual(await refusalsOf('scim/user-patch'), ['beyond_own_rights', 'beyond_own_rights']);
    assert.equal(allowed.http, 204);
    assert.equal(meanwhile.http, 200);
    assert.deepEqual(
      stopped.map(({ http }) => http),
      [403, 403],
    );
    for (const { body } of stopped) assert.match(body.detail, /created this token is disabled/);
    assert.deepEqual(await refusedUses(account), ['creator_disabled']);
    assert.deepEqual(
      tokens['data'].map(({ usable, problem }: Record<string, unknown>) => [usable, problem]),
      [
        [true, ''],
        [false, 'creator_disabled'],
      ],
    );
  });

  test('local departments stay apart, and provisioned ones are not changed here', async () => {
    const account = await service.account();
    const by = await provider(account);
    const local = await account.department('Local');
    const group = (await by.send('POST', '/Groups', oktaCreateGroup('Local'))).body;
    const id = Number(group.id);
    const person = await account.member();

    const untouched = [
      await by.send('GET', `/Groups/${local}`),
      await by.send(
        'PATCH',
        `/Groups/${local}`,
        patchOf({ op: 'replace', path: 'displayName', value: 'Mine' }),
      ),
      await by.send('DELETE', `/Groups/${local}`),
    ];
    const taken = await by.send('POST', '/Groups', oktaCreateGroup('LOCAL'));
    const refused = [
      await account.owner.call('team/department/update', { id, name: 'Renamed' }),
      await account.owner.call('team/department/member/add', { id, email: person.email }),
      await account.owner.call('team/department/member/remove', { id, email: person.email }),
    ];
    await account.owner.call('team/scim/token/remove', { id: by.tokenId });
    const freed = await account.owner.call('team/department/update', { id, name: 'Renamed' });

    assert.deepEqual(
      untouched.map(({ http }) => http),
      [404, 404, 404],
    );
    assert.deepEqual([taken.http, taken.body.scimType], [409, 'uniqueness']);
    assert.deepEqual(
      refused.map(({ body }) => body.error?.code),
      Array(3).fill('provisioned'),
    );
    assert.equal(freed.http, 200);
  });

  test('a disabled person is out of panel, keys and links at once, and returns with the same rights', async () => {
    const account = await service.account();
    const by = await provider(account);
    const person = await account.member([{ type: 'team', permissions: ['team_api_key'] }]);
    const panel = await openSignedInPanel(service, account, person);
    const answers = async () => [(await person.call('keys/list')).http, (await panel.v1('keys/list')).http];

    const first = await answers();
    const off = await by.send('PATCH', `/Users/${person.id}`, oktaActive(false));
    const during = await answers();
    const reset = await account.owner.call('team/member/invite', { email: person.email });
    await by.send('DELETE', `/Users/${person.id}`);
    const gone = await answers();
    const back = await by.send('POST', '/Users', oktaCreate(person.email, 'back'));

    assert.deepEqual(first, [200, 200]);
    assert.equal(off.body.active, false);
    assert.deepEqual([during[0], gone[0]], [403, 403]);
    assert.notEqual(during[1], 200);
    assert.equal(reset.body.error?.code, 'disabled');
    assert.equal(back.body.id, String(person.id));
    assert.equal((await person.call('keys/list')).http, 200);
    assert.notEqual((await panel.v1('keys/list')).http, 200);
  });

  test('missing, wrong, expired and removed tokens are refused, and guessing is limited', async () => {
    const account = await service.account();
    const by = await createProvider(service.testClient, account.owner, {
      name: 'Entra',
      expires: service.server.store.now() + 60,
    });
    const removed = await provider(account);
    const listed = async () => (await account.owner.call('team/scim/token/list')).body['data'];

    const [never] = await listed();
    const valid = await by.send('GET', '/Users');
    const [used] = await listed();
    await account.owner.call('team/scim/token/remove', { id: removed.tokenId });
    service.advance(61);
    const refused = [
      await by.send('GET', '/Users'),
      await removed.send('GET', '/Users'),
      await openProvider(service.testClient, 'x'.repeat(64)).send('GET', '/Users'),
      await openProvider(service.testClient, account.owner.apiKey).send(
        'DELETE',
        `/Users/${account.owner.id}`,
      ),
      await openProvider(service.testClient, '').send('POST', '/Users', oktaCreate('a@example.com', 'a')),
    ];
    const [expired] = await listed();

    assert.equal(valid.http, 200);
    assert.ok(!('last_used' in never) && used.last_used === service.server.store.now() - 61);
    assert.deepEqual([expired.expired, expired.usable], [true, false]);
    assert.deepEqual(
      refused.map(({ http }) => http),
      Array(5).fill(401),
    );
    assert.match(String(refused[0]!.headers['www-authenticate']), /^Bearer/);
    assert.deepEqual(await refusedUses(account), ['expired']);
  });

  test('wrong tokens are limited per network, and keep out no token that is valid there', async () => {
    await using quiet = await startService();
    const account = await quiet.account();
    const valid = await createProvider(quiet.testClient, account.owner);
    const removed = await createProvider(quiet.testClient, account.owner, { name: 'Entra ID' });
    const read = async (by: ScimProvider) => (await by.send('GET', '/Users?count=1')).http;
    const atFirst = [await read(valid), await read(removed)];
    await account.owner.call('team/scim/token/remove', { id: removed.tokenId });

    const guesses = await Promise.all(
      Array.from({ length: 200 }, (_, at) => read(openProvider(quiet.testClient, `guess-${at}`))),
    );
    const during = [await read(valid), await read(removed), await read(valid)];

    assert.deepEqual(atFirst, [200, 200]);
    assert.deepEqual([...new Set(guesses)].toSorted(), [401, 429]);
    assert.ok(guesses.filter((http) => http === 401).length < 100, 'no limit');
    assert.deepEqual(during, [200, 401, 200]);
    assert.deepEqual(await refusedUses(account), ['removed']);
  });
});
