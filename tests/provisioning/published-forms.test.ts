/**
 * Requests in the forms that Okta and Microsoft publish, with values of our own: Okta's test of SCIM servers
 * (Okta-SCIM-20-SPEC-Test.json) and its SCIM 2.0 reference; Microsoft's pages on SCIM provisioning and on its compatibility.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService, type TestService } from '../kit/server/service.ts';
import { patchOf, createProvider } from './scim-provider.ts';

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const list = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const newUser = (userName: string, givenName = 'Tess', familyName = 'Tailor') => ({
  schemas: [user],
  userName,
  name: { givenName, familyName },
  emails: [{ primary: true, value: userName, type: 'work' }],
  displayName: `${givenName} ${familyName}`,
  active: true,
});

describe('published forms of identity providers', () => {
  let service: TestService;
  before(async () => void (service = await startService()));
  after(() => service[Symbol.asyncDispose]());

  async function connected() {
    const account = await service.account();
    const provider = await createProvider(service.testClient, account.owner);
    const byName = (name: string) =>
      provider.send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`);
    return { account, provider, byName };
  }

  test('the required checks of Okta’s test of SCIM servers hold in an account that has only its owner', async () => {
    const { account, provider, byName } = await connected();
    const unknown = 'abcdefgh@example.com';

    const first = await provider.send('GET', '/Users?count=1&startIndex=1');
    const [owner] = first.body.Resources;
    const same = await provider.send('GET', `/Users/${owner.id}`);
    const [none, missing] = [
      await byName(unknown),
      await provider.send('GET', '/Users/010101001010101011001010101011'),
    ];
    const unused = await byName('tess@example.com');
    const created = await provider.send('POST', '/Users', newUser('tess@example.com'));
    const found = await provider.send('GET', `/Users/${created.body.id}`);
    const twice = await provider.send('POST', '/Users', newUser('tess@example.com'));
    const [capitals, groups] = [await byName('TESS@EXAMPLE.COM'), await provider.send('GET', '/Groups')];

    assert.deepEqual(first.body.schemas, [list]);
    for (const each of ['itemsPerPage', 'startIndex', 'totalResults'])
      assert.equal(typeof first.body[each], 'number', each);
    for (const { body } of [{ body: owner }, same]) {
      assert.equal(body.id, String(account.owner.id));
      assert.deepEqual([body.userName, body.emails[0].value], [account.owner.email, account.owner.email]);
      assert.equal(body.active, true);
      for (const part of ['givenName', 'familyName']) assert.ok(body.name[part].length > 0, part);
    }
    assert.deepEqual(
      [none, unused].map(({ http, body }) => [http, body.totalResults]),
      [none, unused].map(() => [200, 0]),
    );
    assert.equal(missing.http, 404);
    assert.ok(missing.body.detail !== '' && missing.body.schemas[0].endsWith(':Error'));
    assert.equal(created.http, 201);
    for (const { body } of [created, found]) {
      assert.deepEqual(body.name, { givenName: 'Tess', familyName: 'Tailor' });
      assert.deepEqual([body.userName, body.active], ['tess@example.com', true]);
    }
    assert.equal(twice.http, 409);
    assert.deepEqual([capitals.http, groups.http], [200, 200]);
  });

  test('a name that is only shown is not stored when the provider changes something else', async () => {
    const { account, provider } = await connected();
    const path = `/Users/${account.owner.id}`;
    const shown = (await provider.send('GET', path)).body.name;

    const changed = await provider.send('PATCH', path, patchOf({ op: 'add', path: 'title', value: 'Chief' }));

    assert.ok(shown.familyName.length > 0);
    assert.equal(changed.http, 200);
    const { body } = await account.owner.call('team/member/list', { search: account.owner.email });
    assert.equal(body['data'][0].name ?? '', '');
  });

  test('Okta changes a person and ends their access by replacing what it read', async () => {
    const { account, provider } = await connected();
    const { body: made } = await provider.send('POST', '/Users', {
      ...newUser('tess@example.com'),
      externalId: '00u1',
      locale: 'en-US',
      groups: [],
      password: 'of Okta 1',
    });
    const path = `/Users/${made.id}`;
    const read = async () => (await provider.send('GET', path)).body;
    const stateOf = async (): Promise<string> =>
      (await account.owner.call('team/member/list', { search: 'tess@' })).body['data'][0].state;

    const first = await read();
    const updated = await provider.send('PUT', path, {
      ...first,
      name: { ...first.name, middleName: 'Excited', givenName: 'Another' },
      emails: [{ ...first.emails[0], display: 'tess@example.com' }],
      groups: [],
    });
    const states = [await stateOf()];
    const off = await provider.send('PUT', path, { ...(await read()), active: false });
    states.push(await stateOf());
    const on = await provider.send('PUT', path, { ...(await read()), active: true });
    states.push(await stateOf());
    const patched = await provider.send('PATCH', path, patchOf({ op: 'replace', value: { active: false } }));
    states.push(await stateOf());

    assert.deepEqual(
      [updated, off, on, patched].map(({ http }) => http),
      Array(4).fill(200),
    );
    assert.deepEqual(updated.body.name, {
      givenName: 'Another',
      middleName: 'Excited',
      familyName: 'Tailor',
    });
    assert.deepEqual([updated.body.id, updated.body.externalId], [made.id, '00u1']);
    assert.deepEqual([off.body.active, on.body.active, patched.body.active], [false, true, false]);
    assert.deepEqual(states, ['invited', 'disabled', 'invited', 'disabled']);
  });

  test('Entra ID changes people and members in its default form and in its standard form', async () => {
    const { provider } = await connected();
    const { body: made } = await provider.send('POST', '/Users', {
      ...newUser('tess@corp.example'),
      schemas: [user, enterprise],
      externalId: '0a21f0f2',
      meta: { resourceType: 'User' },
      roles: [],
    });
    const { body: group } = await provider.send('POST', '/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Sales',
      externalId: '8aa1a0c0',
    });
    const [path, members] = [`/Users/${made.id}`, `/Groups/${group.id}`];
    const patch = (...operations: object[]) => provider.send('PATCH', path, patchOf(...operations));
    const memberCount = async () => (await provider.send('GET', members)).body.members.length;
    const join = () =>
      provider.send(
        'PATCH',
        members,
        patchOf({ op: 'Add', path: 'members', value: [{ $ref: null, value: made.id }] }),
      );

    const many = await patch(
      { op: 'Replace', path: 'displayName', value: 'Tess T.' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'tess.new@corp.example' },
      { op: 'Replace', path: 'name.givenName', value: 'Theresa' },
      { op: 'Replace', path: 'externalId', value: 'other' },
      { op: 'Replace', path: `${enterprise}:employeeNumber`, value: '7' },
    );
    const standard = await patch(
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'tess.last@corp.example' },
      {
        op: 'replace',
        value: { displayName: 'Tess', 'name.familyName': 'T', [`${enterprise}:employeeNumber`]: '8' },
      },
    );
    const renamed = await patch({ op: 'Replace', path: 'userName', value: 'tess.t@corp.example' });
    const off = await patch({ op: 'Replace', path: 'active', value: 'False' });
    const on = await patch({ op: 'Replace', path: 'active', value: 'True' });
    const offAgain = await patch({ op: 'replace', path: 'active', value: false });
    const counts = [await memberCount()];
    for (const removal of [
      { op: 'Remove', path: 'members', value: [{ value: made.id }] },
      { op: 'remove', path: `members[value eq "${made.id}"]` },
    ]) {
      await join();
      counts.push(await memberCount());
      await provider.send('PATCH', members, patchOf(removal));
      counts.push(await memberCount());
    }

    assert.deepEqual(
      [many.body.displayName, many.body.name.givenName, many.body.externalId, many.body[enterprise]],
      ['Tess T.', 'Theresa', 'other', { employeeNumber: '7' }],
    );
    assert.equal(many.body.emails[0].value, 'tess.new@corp.example');
    assert.deepEqual(
      [standard.body.displayName, standard.body.name.familyName, standard.body[enterprise]],
      ['Tess', 'T', { employeeNumber: '8' }],
    );
    assert.equal(standard.body.emails[0].value, 'tess.last@corp.example');
    assert.equal(renamed.body.userName, 'tess.t@corp.example');
    assert.deepEqual(
      [off, on, offAgain].map(({ body }) => body.active),
      [false, true, false],
    );
    assert.deepEqual(counts, [0, 1, 0, 1, 0]);
  });
});
