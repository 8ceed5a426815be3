/** Part of the store's suite: departments. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault } from '@drawbridge/contract/faults';
import { must } from '../../../kit/server/account.ts';
import { openAccount, type StoreFixture } from '../fixture.ts';

const page = { offset: 0, limit: 100 };
/** Larger than any id. */
const nobody = 2 ** 52;

export function departmentsSuite(fixture: () => StoreFixture): void {
  test('departments are listed with their size, found with their members, renamed and removed', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [field, desk] = [await account.department('Field'), await account.department('DESK')];
    const ann = await account.member();
    const born = store.now();
    advance(5);
    await account.join(field, ann);
    await account.join(field, ann);
    const listed = await store.departments.list(accountId, page);

    const base = { ldap: false, worker: false, createTime: born };
    assert.deepEqual(listed, [
      { ...base, id: field, name: 'Field', modifyTime: born + 5, size: 1 },
      { ...base, id: desk, name: 'DESK', modifyTime: born, size: 0 },
    ]);
    assert.deepEqual(await store.departments.find(accountId, field), {
      ...base,
      id: field,
      name: 'Field',
      modifyTime: born + 5,
      members: [{ id: ann.id, email: ann.email }],
    });
    assert.deepEqual(await store.change('departments/update', { accountId, id: desk, name: 'Front' }), {});
    assert.deepEqual(
      (await store.departments.list(accountId, { ...page, search: 'fRoN' })).map((each) => each.name),
      ['Front'],
    );
    assert.deepEqual(await store.change('departments/remove', { accountId, id: desk }), {});
    assert.equal(await store.departments.find(accountId, desk), undefined);
  });

  test('a missing department or member is not found', async () => {
    const { store } = fixture();
    const [ours, theirs] = [await openAccount(store), await openAccount(store)];
    const { accountId, owner } = ours;
    const [id, alien] = [await ours.department(), await theirs.department()];
    const { email } = await ours.member();

    for (const absent of [nobody, alien]) {
      const gone = { accountId, id: absent };
      assert.equal(await store.departments.find(accountId, absent), undefined);
      assert.deepEqual(
        await store.change('departments/update', { ...gone, name: 'x' }),
        fault('not_found', { field: 'id' }),
      );
      assert.deepEqual(await store.change('departments/remove', gone), fault('not_found', { field: 'id' }));
      const into = await store.change('departments/member-add', { ...gone, by: owner.id, email });
      const outOf = await store.change('departments/member-remove', { ...gone, email });
      assert.deepEqual([into, outOf], Array(2).fill(fault('not_found', { field: 'id' })));
    }
    const outsider = { accountId, id, email: theirs.owner.email };
    const [add, remove] = [
      await store.change('departments/member-add', { ...outsider, by: owner.id }),
      await store.change('departments/member-remove', outsider),
    ];
    assert.deepEqual(
      [add, remove],
      [fault('not_found', { field: 'email' }), fault('not_found', { field: 'email' })],
    );
    assert.deepEqual(
      await store.change('departments/member-remove', { accountId, id, email }),
      fault('not_found', { field: 'email' }),
    );
  });

  test('a member leaves a department and loses what it gave', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [ann, id] = [await account.member(), await account.department()];
    await account.join(id, ann);
    await account.grant({ departmentId: id }, await account.role('team', ['team_api_key']));

    await must(store, 'departments/member-remove', { accountId, id, email: ann.email });

    assert.deepEqual((await store.actors.byId(accountId, ann.id))?.grants, []);
    assert.deepEqual((await store.departments.find(accountId, id))?.members, []);
  });
}
