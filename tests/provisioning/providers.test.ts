/** Okta and Entra ID provision people and departments: requests in their forms, and what the account shows afterwards. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService, type TestService } from '../kit/server/service.ts';
import { createProvider } from './scim-provider.ts';
import * as entra from './entra-requests.ts';
import * as okta from './okta-requests.ts';

describe('identity providers', () => {
  let service: TestService;
  before(async () => void (service = await startService()));
  after(() => service[Symbol.asyncDispose]());

  async function connected() {
    const account = await service.account();
    return { account, provider: await createProvider(service.testClient, account.owner) };
  }

  test('Okta creates, changes, switches off and on, and deletes a person', async () => {
    const { account, provider } = await connected();
    const email = 'ann@example.com';
    const peopleOf = async () =>
      (await account.owner.call('team/member/list', { search: email })).body['data'] as {
        id: number;
        state: string;
      }[];

    const none = await provider.send('GET', okta.oktaLookup(email));
    const created = await provider.send('POST', '/Users', okta.oktaCreate(email, '00uA'));
    const { id } = created.body;
    const found = await provider.send('GET', okta.oktaLookup('ANN@example.com'));
    const replaced = await provider.send('PUT', `/Users/${id}`, okta.oktaReplace(id, email, '00uA', 'Anna'));
    const off = await provider.send('PATCH', `/Users/${id}`, okta.oktaActive(false));
    const [disabled] = await peopleOf();
    const on = await provider.send('PATCH', `/Users/${id}`, okta.oktaActive(true));
    const [enabled] = await peopleOf();
    const whole = await provider.send('PUT', `/Users/${id}`, okta.oktaReplaceInactive(id, email, '00uA'));
    const [ended] = await peopleOf();
    const deleted = await provider.send('DELETE', `/Users/${id}`);
    const gone = await provider.send('GET', `/Users/${id}`);
    const [kept] = await peopleOf();
    const again = await provider.send('POST', '/Users', okta.oktaCreate(email, '00uB'));

    assert.equal(none.body.totalResults, 0);
    assert.equal(created.http, 201);
    assert.equal(created.headers['content-type'], 'application/scim+json; charset=utf-8');
    assert.equal(created.headers['location'], created.body.meta.location);
    assert.deepEqual([created.body.externalId, created.body.active], ['00uA', true]);
    assert.ok(!('password' in created.body), 'the password came back');
    assert.equal(found.body.Resources[0].id, id);
    assert.deepEqual(replaced.body.name, { givenName: 'Anna', familyName: 'Archer' });
    assert.deepEqual([off.body.active, disabled!.state], [false, 'disabled']);
    assert.deepEqual([on.body.active, enabled!.state], [true, 'invited']);
    assert.deepEqual([whole.http, whole.body.active, ended!.state], [200, false, 'disabled']);
    assert.deepEqual([deleted.http, gone.http, kept!.state], [204, 404, 'disabled']);
    assert.deepEqual([again.http, again.body.id, again.body.externalId], [201, id, '00uB']);
    assert.equal((await peopleOf())[0]!.state, 'invited');
  });

  test('Okta pushes a group: create, rename, add and remove members, replace all, delete', async () => {
    const { account, provider } = await connected();
    const ids = await Promise.all(
      ['a', 'b', 'c'].map(
        async (name) =>
          (await provider.send('POST', '/Users', okta.oktaCreate(`${name}@example.com`, name))).body.id,
      ),
    );
    const membersOf = async (id: string) =>
      (await provider.send('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value);

    const created = await provider.send('POST', '/Groups', okta.oktaCreateGroup('Support', ids[0]));
    const { id } = created.body;
    const renamed = await provider.send('PATCH', `/Groups/${id}`, okta.oktaRenameGroup(id, 'Help desk'));
    const moved = await provider.send('PATCH', `/Groups/${id}`, okta.oktaMembers([ids[1], ids[2]], [ids[0]]));
    const changed = await membersOf(id);
    const own = await provider.send('GET', `/Users/${ids[1]}`);
    const { body } = await account.owner.call('team/department/list');
    await provider.send('PATCH', `/Groups/${id}`, okta.oktaReplaceMembers(ids[0]));
    const replaced = await membersOf(id);
    const group = okta.oktaReplaceGroup(id, 'Service desk', ids[1], ids[2]);
    const whole = await provider.send('PUT', `/Groups/${id}`, group);
    const last = await membersOf(id);
    const byName = await provider.send('GET', okta.oktaGroupLookup('Service desk'));
    const deleted = await provider.send('DELETE', `/Groups/${id}`);

    assert.equal(created.http, 201);
    assert.deepEqual([renamed.http, moved.http], [204, 204], JSON.stringify(moved.body));
    assert.deepEqual(changed, [ids[1], ids[2]]);
    assert.deepEqual(
      own.body.groups.map(({ display }: { display: string }) => display),
      ['Help desk'],
    );
    assert.deepEqual(
      body['data'].map(({ name, ldap, size }: { name: string; ldap: boolean; size: number }) => ({
        name,
        ldap,
        size,
      })),
      [{ name: 'Help desk', ldap: false, size: 2 }],
    );
    assert.deepEqual(replaced, [ids[0]]);
    assert.deepEqual([whole.http, last], [200, [ids[1], ids[2]]]);
    assert.deepEqual(
      byName.body.Resources.map((each: { id: string }) => each.id),
      [id],
    );
    assert.equal(deleted.http, 204);
    const left = await account.owner.call('team/department/info', { id: Number(id) });
    assert.deepEqual(left.body['data'].members, []);
  });

  test('Entra ID creates and changes a person, with its own spellings', async () => {
    const { provider } = await connected();
    const userName = 'joy@corp.example';

    const none = await provider.send('GET', entra.entraLookup('userName', '9c2a-unknown'));
    const created = await provider.send(
      'POST',
      '/Users',
      entra.entraCreate(userName, 'joy.young@example.com'),
    );
    const path = `/Users/${created.body.id}`;
    const byMail = await provider.send(
      'GET',
      entra.entraLookup('emails[type eq "work"].value', 'joy.young@example.com'),
    );
    const updated = await provider.send('PATCH', path, entra.entraUpdate('joy.hart@example.com'));
    const flat = await provider.send('PATCH', path, entra.entraFlat);
    const off = await provider.send('PATCH', path, entra.entraActive('False'));
    const on = await provider.send('PATCH', path, entra.entraActive('True'));
    const ended = await provider.send('PATCH', path, entra.entraRolesAndEnd);
    const strict = await provider.send('PATCH', path, entra.entraStrict);

    assert.deepEqual([none.http, none.body.totalResults], [200, 0]);
    assert.deepEqual(created.body[entra.enterprise], { department: 'Sales' });
    assert.equal(byMail.body.Resources[0].userName, userName);
    assert.deepEqual(updated.body.emails, [
      { type: 'work', value: 'joy.hart@example.com', primary: true },
      { type: 'other', value: 'joy@home.example' },
    ]);
    assert.deepEqual(updated.body.phoneNumbers, [{ type: 'mobile', value: '+49 30 1234' }]);
    assert.deepEqual(updated.body[entra.enterprise], { department: 'Service', manager: { value: '7' } });
    assert.deepEqual([flat.body.name.givenName, flat.body.title], ['Joyce', 'Lead']);
    assert.equal(flat.body[entra.enterprise].costCenter, '42');
    assert.equal(flat.body.emails[1].value, 'joyce@home.example');
    assert.deepEqual([off.body.active, on.body.active], [false, true]);
    assert.deepEqual([ended.http, ended.body.active], [200, false]);
    assert.deepEqual(ended.body.roles, [{ primary: true, value: 'Technician' }]);
    assert.deepEqual(ended.body[entra.enterprise], { department: 'Service', costCenter: '42' });
    assert.equal(ended.body.emails[0].value, 'joy.last@example.com');
    assert.deepEqual([strict.body.displayName, strict.body.active], ['Joy Strict', true]);
    assert.equal(strict.body[entra.enterprise].employeeNumber, '77');
  });

  test('Entra ID creates a group, asks whether somebody belongs to it, and changes its members', async () => {
    const { provider } = await connected();
    const person = await provider.send(
      'POST',
      '/Users',
      entra.entraCreate('joy@corp.example', 'joy@corp.example'),
    );
    const member = person.body.id as string;

    const created = await provider.send('POST', '/Groups', entra.entraCreateGroup('Sales', '8aa1'));
    const { id } = created.body;
    const byName = `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "SALES"')}`;
    const belongs = `/Groups?excludedAttributes=members&filter=${encodeURIComponent(`id eq "${id}" and members[value eq "${member}"]`)}`;
    const found = await provider.send('GET', byName);
    const first = await provider.send('GET', belongs);
    const added = await provider.send('PATCH', `/Groups/${id}`, entra.entraAddMembers(member));
    const during = await provider.send('GET', belongs);
    await provider.send('PATCH', `/Groups/${id}`, entra.entraRenameGroup('Sales EMEA'));
    const removed = await provider.send(
      'PATCH',
      `/Groups/${id}?attributes=displayName,members`,
      entra.entraRemoveMember(member),
    );
    const last = await provider.send('GET', belongs);

    assert.equal(created.body.externalId, '8aa1');
    assert.ok(!('members' in found.body.Resources[0]), 'members were excluded');
    assert.deepEqual(
      [first, during, last].map(({ body }) => body.totalResults),
      [0, 1, 0],
    );
    assert.equal(added.http, 204);
    assert.equal(removed.http, 200);
    assert.deepEqual([removed.body.displayName, removed.body.members], ['Sales EMEA', []]);
  });
});
