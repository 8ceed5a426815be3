/** The clock of the database, as a node follows it while the database responds slowly or not at all. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { followDatabaseClock } from './database-clock.ts';

/** When the database's clock is read: how long the query waits before it is read, and how long the reply takes. */
interface Query {
  waitMs?: number;
  replyMs?: number;
  fails?: boolean;
}

/** Queries take as long as the test says; each takes a millisecond otherwise. */
async function node(t: TestContext, first: readonly Query[] = []) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const time = { steady: 70, database: 1_000_000 };
  const queries = [...first];
  let readings = 0;
  const pass = (ms: number): void => {
    time.steady += ms;
    time.database += ms;
  };
  const read = async (): Promise<number> => {
    readings++;
    const { waitMs = 0, replyMs = 1, fails = false } = queries.shift() ?? {};
    pass(waitMs);
    if (fails) throw new Error('Connection terminated');
    const ms = time.database;
    pass(replyMs);
    return ms;
  };
  const clock = await followDatabaseClock({ read, steady: () => time.steady });
  t.after(clock.stop);
  return {
    /** By how many seconds the node's time differs from that of the database. */
    error: () => Math.abs(clock.now() - Math.floor(time.database / 1_000)),
    readings: () => readings,
    /** Sets the clock of the database. */
    jump: (ms: number) => void (time.database += ms),
    /** Lets time pass, with these answers to the queries in it. */
    async pass(ms: number, ...answers: Query[]) {
      queries.push(...answers);
      pass(ms);
      t.mock.timers.tick(ms);
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    },
  };
}

test('a query that waited long for a free connection does not move the time', async (t) => {
  const { error, pass } = await node(t);
  await pass(10_000, { waitMs: 25_000 });
  assert.equal(error(), 0);
});

test('a reply that arrived late does not move the time', async (t) => {
  const { error, pass } = await node(t);
  await pass(10_000, { replyMs: 25_000 });
  assert.equal(error(), 0);
});

test('after a slow or failed reading the clock is read again within a second, and followed', async (t) => {
  const { error, jump, pass, readings } = await node(t);
  jump(100_000);
  await pass(10_000, { waitMs: 5_000 });
  assert.deepEqual([error(), readings()], [100, 2]);
  await pass(1_000, { fails: true });
  assert.deepEqual([error(), readings()], [100, 3]);
  await pass(1_000);
  assert.deepEqual([error(), readings()], [0, 4]);
  await pass(9_000);
  assert.equal(readings(), 4);
});

test('a server that starts beside a busy database uses its quickest reading', async (t) => {
  const slow = [
    { waitMs: 20_000 },
    { waitMs: 9_000 },
    { waitMs: 1_600 },
    { waitMs: 8_000 },
    { waitMs: 30_000 },
  ];
  const { error, readings } = await node(t, slow);
  assert.equal(readings(), 5);
  assert.ok(error() <= 1, `${error()} seconds`);
});

test('a server that starts reads the clock once if that was quick', async (t) => {
  const { readings } = await node(t);
  assert.equal(readings(), 1);
});
