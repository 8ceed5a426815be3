/** Requests that wait for a connection to PostgreSQL while the connections in use wait for each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openStore } from '@drawbridge/server/store/engine/open';
import { must } from '../../../kit/server/account.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { eventually } from '../../../kit/eventually.ts';
import { openAccount } from '../fixture.ts';
import { openSql, openTestStore } from '../test-store.ts';

/** As long as a change waits for another. */
const heldMs = 10_000;

test(
  'a read waits for a connection as long as changes may wait for each other',
  { skip: skipWithout('PostgreSQL') },
  async (t) => {
    await using opened = await openTestStore('postgres');
    const { accountId } = await openAccount(opened.store);
    const store = await openStore({ ...opened.place, poolSize: 1 });
    const other = await openSql(opened.place);

    await other.sql('begin');
    await other.sql('lock table agent_group');
    const change = must(store, 'groups/create', { accountId, name: 'group' });
    await eventually(
      () => other.sql('select 1 from pg_locks where not granted'),
      (waiting) => waiting.length > 0,
    );
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const both = Promise.allSettled([change, store.ping()]);
    // The read asks the pool for a connection within this iteration of the event loop.
    await setImmediate();
    t.mock.timers.tick(heldMs);
    t.mock.timers.reset(); // so that timers of the driver from before are cleared when the change has its answer
    await other.sql('commit');
    const answers = await both;
    await Promise.all([store.close(), other.close()]);

    assert.deepEqual(
      answers.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    );
  },
);
