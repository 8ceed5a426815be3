/** Requests that wait for a connection to PostgreSQL, because those that have one wait for each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '@drawbridge/server/store/open';
import { must } from '../kit/server/account.ts';
import { skipWithout } from '../kit/requirements.ts';
import { eventually } from '../kit/eventually.ts';
import { openAccount } from './fixture.ts';
import { openSql, openTestStore } from './test-store.ts';

/** Less than a change waits for another, which is ten seconds. */
const heldMs = 7_000;

test(
  'a read waits for a connection as long as changes may wait for each other',
  { skip: skipWithout('PostgreSQL') },
  async () => {
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
    const [answers] = await Promise.all([
      Promise.allSettled([change, store.ping()]),
      pause(heldMs).then(() => other.sql('commit')),
    ]);
    await Promise.all([store.close(), other.close()]);

    assert.deepEqual(
      answers.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    );
  },
);
