/** Entra ID with its default mappings, and the forms of requests that Microsoft publishes: nothing has to be removed at the identity provider. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService, type TestService } from '../kit/server/service.ts';
import { entraMappings, entraOtherTargets } from './entra-mappings.ts';
import { enterprise, entraCreate } from './entra-requests.ts';
import { createProvider, patchOf, type ScimProvider } from './scim-provider.ts';

describe('default mappings of Entra ID', () => {
  let service: TestService;
  let provider: ScimProvider;
  let path: string;
  before(async () => {
    service = await startService();
    provider = await createProvider(service.testClient, (await service.account()).owner);
    const { body } = await provider.send(
      'POST',
      '/Users',
      entraCreate('joy@corp.example', 'joy@example.com'),
    );
    path = `/Users/${body.id}`;
  });
  after(() => service[Symbol.asyncDispose]());

  const change = (op: string, paths: readonly string[], value?: (path: string) => unknown) =>
    provider.send(
      'PATCH',
      path,
      patchOf(...paths.map((each) => ({ op, path: each, ...(value && { value: value(each) }) }))),
    );

  test('all are set, changed and taken away by path, beside what the person already had', async () => {
    const added = await change('Add', entraMappings, (each) => `1 ${each}`);
    const replaced = await change('Replace', entraMappings, (each) => `2 ${each}`);
    const read = await provider.send('GET', path);
    const removed = await change('Remove', entraMappings);
    const again = await change('Remove', entraMappings);

    assert.deepEqual(
      [added, replaced, removed, again].map(({ http }) => http),
      [200, 200, 200, 200],
    );
    assert.deepEqual(read.body, replaced.body);
    const at = 'addresses[type eq "work"]';
    assert.deepEqual(read.body.addresses, [
      {
        type: 'work',
        formatted: `2 ${at}.formatted`,
        streetAddress: `2 ${at}.streetAddress`,
        locality: `2 ${at}.locality`,
        region: `2 ${at}.region`,
        postalCode: `2 ${at}.postalCode`,
        country: `2 ${at}.country`,
      },
    ]);
    assert.deepEqual(
      read.body.phoneNumbers.map(({ type }: { type: string }) => type),
      ['work', 'mobile', 'fax'],
    );
    assert.deepEqual(read.body[enterprise], {
      department: `2 ${enterprise}:department`,
      manager: { value: `2 ${enterprise}:manager` },
      employeeNumber: `2 ${enterprise}:employeeNumber`,
    });
    const { emails, userName, active } = again.body;
    assert.deepEqual([emails[0].value, userName, active], ['joy@example.com', 'joy@corp.example', true]);
    for (const gone of ['name', enterprise, 'externalId', 'title']) assert.ok(!(gone in again.body), gone);
  });

  test('all are set as one value without a path, together with the end of the access', async () => {
    const value = Object.fromEntries(entraMappings.map((each) => [each, `3 ${each}`]));
    const set = await provider.send('PATCH', path, patchOf({ op: 'replace', value }));
    const ended = await provider.send(
      'PATCH',
      `${path}?aadOptscim062020`,
      patchOf({ op: 'replace', value: { ...value, active: false } }),
    );
    await change('Replace', ['active'], () => 'True');

    assert.deepEqual([set.http, set.body.name.givenName], [200, '3 name.givenName']);
    assert.deepEqual([ended.http, ended.body.active], [200, false]);
  });

  test('other targets that its list offers are stored or ignored, and do not keep a person signed in', async () => {
    const set = await change('Add', entraOtherTargets, () => 'x@example.com');
    const { body } = await provider.send(
      'PATCH',
      path,
      patchOf(...entraOtherTargets.map((each) => ({ op: 'Replace', path: each, value: 'y@example.com' })), {
        op: 'Replace',
        path: 'active',
        value: 'False',
      }),
    );

    assert.equal(set.http, 200, JSON.stringify(set.body));
    assert.equal(body.active, false);
    assert.ok(!('photos' in body) && !('ims' in body) && !('x509Certificates' in body));
    assert.equal(body.emails[0].value, 'joy@example.com');
    const schemas = await provider.send('GET', '/Schemas');
    assert.doesNotMatch(JSON.stringify(schemas.body), /photos/);
  });

  test('a path of an extension that this server does not know is refused, and changes nothing', async () => {
    const { body: former } = await provider.send('GET', path);
    for (const unknown of ['urn:ietf:params:scim:schemas:extension:Custom:2.0:User:tag', 'shoeSize']) {
      const { http, body } = await change('Add', ['title', unknown], () => 'x');
      assert.deepEqual([http, body.scimType], [400, 'invalidPath']);
      assert.match(body.detail, new RegExp(unknown.replaceAll('.', String.raw`\.`)));
    }
    assert.deepEqual((await provider.send('GET', path)).body, former);
  });

  test('bodies and responses have the types that are published, and the flag in the address is ignored', async () => {
    const types = ['application/scim+json; charset=utf-8', 'application/scim+json', 'application/json'];
    const body = JSON.stringify(patchOf({ op: 'Add', path: 'title', value: 'Lead' }));
    for (const type of [...types, 'Application/JSON;charset="UTF-8"']) {
      const { http, headers } = await service.testClient.send({
        method: 'PATCH',
        path: `/scim/v2${path}?aadOptscim062020`,
        headers: {
          Authorization: `Bearer ${provider.token}`,
          Accept: 'application/scim+json',
          'Content-Type': type,
        },
        body,
      });
      assert.deepEqual([http, headers['content-type']], [200, 'application/scim+json; charset=utf-8'], type);
    }
    const filter = encodeURIComponent('emails[type eq "work"].value eq "joy@example.com"');
    const found = await provider.send('GET', `/Users?aadOptscim062020&filter=${filter}&count=1`);
    assert.equal(found.body.totalResults, 1);
  });
});
