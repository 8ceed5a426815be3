/** A server that is frozen in the middle of a change, as seen by the other server on the same database. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { startAgent } from '../../kit/agent/agent.ts';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { createEnrolToken, waitUntilOnline } from '../../kit/server/enrolment.ts';
import { startTwoServers } from '../../kit/server/two-servers.ts';
import { startStopwatch } from '../../kit/stopwatch.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');

/** Resolves when so many connections wait for a lock. */
const waitForBlocked = (client: pg.Client, count: number): Promise<unknown> =>
  eventually(
    async () => {
      const { rows } = await client.query(
        `select count(*)::int as blocked from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return rows[0].blocked as number;
    },
    (blocked) => blocked >= count,
  );

test(
  'a frozen server stops neither changes of its account nor commands for longer than a few seconds',
  { skip },
  async () => {
    await using two = await startTwoServers();
    const { one, here, there } = two;
    await using agent = startAgent({
      server: one.url,
      token: await createEnrolToken(here),
      random: () => 0.02,
    });
    await agent.until(/connected/);
    await waitUntilOnline(there, agent.state.id);
    const client = new pg.Client({ connectionString: two.env['DRAWBRIDGE_DATABASE'] });
    await client.connect();
    try {
      await client.query('begin; lock table audit in access exclusive mode');
      const unfinished = here.call('groups/create', { name: 'Frozen' }).catch(() => undefined);
      await waitForBlocked(client, 1);
      one.signal('SIGSTOP');
      await client.query('rollback');

      using writing = startStopwatch();
      const written = await there.call('groups/create', { name: 'Written' });
      const writtenAfter = writing.ms();
      using asking = startStopwatch();
      const asked = await there.call('agents/reboot', { id: agent.state.id });
      const askedFor = asking.ms();
      one.signal('SIGCONT');
      await unfinished;

      assert.equal(written.http, 200);
      assert.ok(writtenAfter < 6_500, `the change took ${writtenAfter} ms`);
      assert.equal(asked.body.error?.code, 'node_unreachable');
      assert.ok(askedFor < 5_000, `the command took ${askedFor} ms`);
    } finally {
      await client.end();
    }
  },
);
