/** The administrator's command that makes enrolment tokens, on both databases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { databases } from '../../kit/server/database.ts';
import { openAdminFixture } from './fixture.ts';

for (const { kind, skip } of databases) {
  test(
    `${kind}: a token is created for the owner of an account, and only its digest is stored`,
    { skip },
    async () => {
      await using fixture = await openAdminFixture(kind);
      await fixture.json('account', 'create', '--email', 'ann@example.com');

      const made = await fixture.json('enroll', 'create', '--email', 'ann@example.com', '--uses', '3');

      assert.deepEqual(Object.keys(made), ['id', 'token', 'expires']);
      const { secret } = parseEnrolmentToken(made.token)!;
      const rows = await fixture.sql('select digest, uses, uses_left from enrolment');
      assert.deepEqual([Number(rows[0]!['uses']), Number(rows[0]!['uses_left'])], [3, 3]);
      assert.notEqual(rows[0]!['digest'], secret);
      const lines = await fixture.sql("select operation from audit where operation like 'server/enroll%'");
      assert.equal(lines.length, 1);
    },
  );

  test(`${kind}: a missing group or an unknown address creates no token`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind);
    await fixture.json('account', 'create', '--email', 'ann@example.com');

    const [group, nobody] = [
      await fixture.type('enroll', 'create', '--email', 'ann@example.com', '--group', '77'),
      await fixture.type('enroll', 'create', '--email', 'ben@example.com'),
    ];

    assert.deepEqual([group.exit, nobody.exit], [1, 1]);
    assert.match(group.err, /no group 77/);
    assert.equal((await fixture.sql('select id from enrolment')).length, 0);
  });
}
