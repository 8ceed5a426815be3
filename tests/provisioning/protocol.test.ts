/** The protocol of SCIM: discovery, lists, filters, attributes and errors, and what a request may cost. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createProvider, patchOf, type ScimProvider } from './scim-provider.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { oktaCreate } from './okta-requests.ts';

describe('protocol of SCIM', () => {
  let service: TestService;
  let provider: ScimProvider;
  let ids: string[];
  before(async () => {
    service = await startService();
    const account = await service.account('owner@corp.example');
    provider = await createProvider(service.testClient, account.owner);
    ids = [];
    for (const name of ['ann', 'bob', 'cid'])
      ids.push(
        (
          await provider.send('POST', '/Users', {
            ...oktaCreate(`${name}@example.com`, name),
            title: `T-${name}`,
          })
        ).body.id,
      );
    await provider.send(
      'PATCH',
      `/Users/${ids[2]}`,
      patchOf({ op: 'replace', path: 'active', value: false }),
    );
  });
  after(() => service[Symbol.asyncDispose]());

  const find = (filter: string, more = '') =>
    provider.send('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`);
  const namesOf = ({ body }: { body: { Resources: { userName: string }[] } }): string[] =>
    body.Resources.map(({ userName }) => userName.split('@')[0]!);

  test('what the server supports is described, and each schema can be read', async () => {
    const config = await provider.send('GET', '/ServiceProviderConfig');
    const types = await provider.send('GET', '/ResourceTypes');
    const schemas = await provider.send('GET', '/Schemas');
    const one = await provider.send('GET', `/Schemas/${schemas.body.Resources[0].id}`);
    const unknown = [
      await provider.send('GET', '/Schemas/urn:none'),
      await provider.send('GET', '/Nothing'),
      await provider.send('PATCH', '/Nothing', patchOf()),
      await provider.send('POST', '/Bulk', {}),
      await provider.send('GET', '/Me'),
    ];

    assert.deepEqual(
      ['patch', 'filter', 'bulk', 'etag', 'sort', 'changePassword'].map(
        (each) => config.body[each].supported,
      ),
      [true, true, false, false, false, false],
    );
    assert.deepEqual(
      types.body.Resources.map(({ endpoint }: { endpoint: string }) => endpoint),
      ['/Users', '/Groups'],
    );
    assert.equal(schemas.body.totalResults, 3);
    assert.equal(one.body.id, 'urn:ietf:params:scim:schemas:core:2.0:User');
    assert.deepEqual(
      unknown.map(({ http }) => http),
      [404, 404, 404, 501, 501],
    );
    for (const { body, headers } of unknown) {
      assert.deepEqual(body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error']);
      assert.match(String(headers['content-type']), /^application\/scim\+json/);
    }
  });

  const filters: [string, string[]][] = [
    ['userName eq "ANN@example.com"', ['ann']],
    ['userName ne "ann@example.com" and title pr', ['bob', 'cid']],
    ['title sw "t-" and not (userName co "bob")', ['ann', 'cid']],
    ['userName ew "corp.example" or externalId eq "bob"', ['owner', 'bob']],
    ['(userName eq "ann@example.com" or userName eq "bob@example.com") and active eq true', ['ann', 'bob']],
    ['active eq false', ['cid']],
    ['emails[type eq "work" and value co "cid@"]', ['cid']],
    ['emails.value eq "bob@example.com"', ['bob']],
    ['name.familyName eq "archer" and title gt "T-ann" and title le "t-cid"', ['bob', 'cid']],
    ['meta.created ge "2011-05-13T04:42:34Z" and title lt "t-b"', ['ann']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "bob"', ['bob']],
    ['externalId eq "BOB"', []],
    ['nickName eq null and title eq "T-ann"', ['ann']],
  ];
  for (const [filter, expected] of filters)
    test(`the filter ${filter} finds ${expected.join(', ') || 'nobody'}`, async () => {
      const found = await find(filter);
      assert.deepEqual(namesOf(found), expected);
      assert.equal(found.body.totalResults, expected.length);
    });

  test('lists come in parts, with and without a filter', async () => {
    const first = await provider.send('GET', '/Users?startIndex=1&count=2');
    const second = await provider.send('GET', '/Users?startIndex=3&count=2');
    const filtered = await find('title pr', '&startIndex=2&count=1');
    const none = await provider.send('GET', '/Users?count=0');

    assert.deepEqual([...namesOf(first), ...namesOf(second)], ['owner', 'ann', 'bob', 'cid']);
    assert.deepEqual(namesOf(filtered), ['bob']);
    assert.deepEqual(
      [first, second, filtered, none].map(({ body }) => [
        body.totalResults,
        body.startIndex,
        body.itemsPerPage,
      ]),
      [
        [4, 1, 2],
        [4, 3, 2],
        [3, 2, 1],
        [4, 1, 0],
      ],
    );
  });

  test('a response contains the attributes that are asked for', async () => {
    const path = `/Users/${ids[0]}`;
    const some = await provider.send('GET', `${path}?attributes=userName,emails.value,NAME.givenName`);
    const without = await provider.send(
      'GET',
      `${path}?excludedAttributes=emails,name.familyName,meta,groups,id`,
    );

    assert.deepEqual(Object.keys(some.body).toSorted(), ['emails', 'id', 'name', 'schemas', 'userName']);
    assert.deepEqual(some.body.emails, [{ value: 'ann@example.com' }]);
    assert.deepEqual(some.body.name, { givenName: 'Ann' });
    assert.ok(!('emails' in without.body) && !('meta' in without.body) && 'id' in without.body);
    assert.deepEqual(without.body.name, { givenName: 'Ann' });
  });

  const patch = (...operations: object[]) =>
    provider.send('PATCH', `/Users/${ids[1]}`, patchOf(...operations));
  const refusals: [string, () => ReturnType<typeof patch>, number, string | undefined][] = [
    ['an unknown operator', () => find('userName is "x"'), 400, 'invalidFilter'],
    ['an unknown attribute', () => find('shoeSize eq "x"'), 400, 'invalidFilter'],
    ['a filter that ends early', () => find('userName eq "x" and'), 400, 'invalidFilter'],
    ['a filter by groups', () => find('groups.value eq "1"'), 400, 'invalidFilter'],
    ['a long filter', () => find(`userName eq "${'x'.repeat(3_000)}"`), 400, 'invalidFilter'],
    ['a deep filter', () => find(`${'('.repeat(12)}title pr${')'.repeat(12)}`), 400, 'invalidFilter'],
    ['a count that is no number', () => provider.send('GET', '/Users?count=many'), 400, 'invalidValue'],
    ['a parameter given twice', () => provider.send('GET', '/Users?count=1&count=2'), 400, 'invalidSyntax'],
    ['a body that is no JSON', () => provider.send('POST', '/Users', '{'), 400, 'invalidSyntax'],
    ['a person without a name', () => provider.send('POST', '/Users', {}), 400, 'invalidValue'],
    [
      'a user name that is no address',
      () => provider.send('POST', '/Users', { userName: 'ann' }),
      400,
      'invalidValue',
    ],
    [
      'a user name that is taken',
      () => provider.send('POST', '/Users', oktaCreate('ANN@example.com', 'x')),
      409,
      'uniqueness',
    ],
    [
      'the address of the owner',
      () => provider.send('POST', '/Users', oktaCreate('owner@corp.example', 'x')),
      409,
      'uniqueness',
    ],
    [
      'the address of somebody else',
      () => patch({ op: 'replace', path: 'emails', value: [{ value: 'ann@example.com' }] }),
      409,
      'uniqueness',
    ],
    ['a patch without operations', () => patch(), 400, 'invalidSyntax'],
    ['an unknown operation', () => patch({ op: 'move', path: 'title' }), 400, 'invalidSyntax'],
    ['an unknown path', () => patch({ op: 'add', path: 'shoeSize', value: '44' }), 400, 'invalidPath'],
    [
      'a path that only the server sets',
      () => patch({ op: 'replace', path: 'id', value: '7' }),
      400,
      'mutability',
    ],
    ['a removal without a path', () => patch({ op: 'remove' }), 400, 'noTarget'],
    [
      'a filter that no value matches',
      () => patch({ op: 'replace', path: 'emails[type co "x"].value', value: 'x@example.com' }),
      400,
      'noTarget',
    ],
    [
      'text instead of a boolean',
      () => patch({ op: 'replace', path: 'active', value: 'maybe' }),
      400,
      'invalidValue',
    ],
    [
      'too many operations',
      () => patch(...Array.from({ length: 101 }, () => ({ op: 'add', path: 'title', value: 'x' }))),
      400,
      'invalidSyntax',
    ],
    [
      'too much text',
      () => patch({ op: 'add', path: 'title', value: 'x'.repeat(1_025) }),
      400,
      'invalidValue',
    ],
    [
      'a huge body',
      () => provider.send('POST', '/Users', { userName: 'x'.repeat(1_100_000) }),
      413,
      undefined,
    ],
    [
      'a filter by two members',
      () =>
        provider.send(
          'GET',
          `/Groups?filter=${encodeURIComponent('members.value eq "1" or members.value eq "2"')}`,
        ),
      400,
      'invalidFilter',
    ],
    ['a group without a name', () => provider.send('POST', '/Groups', { members: [] }), 400, 'invalidValue'],
    [
      'a member who does not exist',
      () => provider.send('POST', '/Groups', { displayName: 'G', members: [{ value: '999999' }] }),
      400,
      'invalidValue',
    ],
    [
      'a member by name',
      () => provider.send('POST', '/Groups', { displayName: 'G', members: ['ann'] }),
      400,
      'invalidValue',
    ],
  ];
  for (const [what, ask, http, scimType] of refusals)
    test(`${what} is refused with ${http} ${scimType ?? ''}`, async () => {
      const { http: got, body } = await ask();
      assert.deepEqual(
        [got, body.scimType, body.status],
        [http, scimType, String(http)],
        JSON.stringify(body),
      );
    });

  test('a body of another type is refused, and each change is in the audit log with the name of the token', async () => {
    const { http } = await service.testClient.send({
      method: 'POST',
      path: '/scim/v2/Users',
      headers: { Authorization: `Bearer ${provider.token}`, 'Content-Type': 'text/plain' },
      body: '{}',
    });
    assert.equal(http, 415);
    const { store } = service.server;
    const accountId = (await store.members.everywhere('owner@corp.example'))[0]!.accountId;
    const { rows } = await store.audit.list(accountId, {
      offset: 0,
      limit: 200,
      operation: 'scim/user-create',
    });
    const done = rows.filter(({ outcome }) => outcome === 'done');
    assert.equal(done.length, 3);
    assert.ok(done.every(({ email, memberId }) => email === 'provisioning token Okta' && memberId === null));
    assert.ok(
      rows.every(({ input }) => !input.includes('1mz050nq')),
      'a password is in the log',
    );
  });
});
