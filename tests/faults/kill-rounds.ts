/** Rounds in which the server is killed in the middle of many writes, and checks of what is there afterwards. */
import assert from 'node:assert/strict';
import type { DatabaseOptions } from '@drawbridge/server/store/engine/database';
import { openStore } from '@drawbridge/server/store/engine/open';
import { createSeededRandom } from '../fuzz/seeded-random.ts';
import { eventually } from '../kit/eventually.ts';
import { must } from '../kit/server/account.ts';
import { openDatabaseFor, type DatabaseKind } from '../kit/server/database.ts';
import { seed } from '../kit/random.ts';
import { createDataFolder, launchServer, type LaunchedServer } from '../lifecycle/launched-server.ts';
import { openSql, type Sql } from '../suites/store/test-store.ts';
import { chainProblem, readStoredRecords, countProblems, healthProblems } from './checks.ts';
import { createWriteLog, reconcile, type WriteLog } from './write-log.ts';
import { writeUntilGone } from './writers.ts';

/**
 * What is written, and when the server is killed, follows from the seed; how far it gets by then depends on
 * the machine.
 */
const random = createSeededRandom(seed);
const clients = 8;
const devices = 150;
const email = 'technician@example.com';

/** The account of the first start gets devices with a history, and a member to grant roles to. */
async function seedDevices(place: DatabaseOptions, writeLog: WriteLog): Promise<void> {
  const store = await openStore(place);
  const [account] = await store.accounts.list();
  const { accountId } = account!;
  await must(store, 'members/invite', {
    accountId,
    email,
    link: { digest: 'invitation', expireTime: store.now() + 86_400 },
  });
  for (let at = 1; at <= devices; at++) {
    const name = `device ${at}`;
    const fixed = { accountId, groupId: null, secret: 's'.repeat(43), os: 'linux', hardware: '{}' };
    const { id } = await must(store, 'agents/add', { ...fixed, name, deviceIds: [100_000_000 + at] });
    const session = { accountId, memberId: null, agentId: id, invitationId: null, start: store.now() };
    const geo = { ip: '', country: '', region: '', city: '' };
    await must(store, 'sessions/start', { ...session, login: '', userAgent: '', geo });
    writeLog.records.push({ kind: 'agent', name, id, fate: 'there' });
  }
  await store.close();
}

/** Makes some devices look as if their server had died while they were online and connected to. */
async function leaveStalePresence(sql: Sql, kind: DatabaseKind): Promise<void> {
  const now = Math.floor(Date.now() / 1_000);
  // With several servers on one database a lease must expire; with one, a start is proof enough.
  const [lease, alive] = kind === 'sqlite' ? [now + 1_000, now] : [now - 1, now - 100];
  await sql('delete from presence');
  await sql('update session set stop_time = start_time where stop_time is null');
  await sql(`insert into presence (agent_id, account_id, node, lease_until, seen_time)
             select id, account_id, 'dead', ${lease}, ${now - 100} from agent where id % 3 = 0`);
  await sql(`update session set stop_time = null, alive_time = ${alive} where id % 3 = 0`);
}

interface ListedDevice {
  name: string;
  online: boolean;
  sessions: { last?: { stop_time?: number } };
}

async function listDevices({ testClient }: LaunchedServer, apiKey: string): Promise<ListedDevice[]> {
  const { body } = await testClient.sdkClient(apiKey).request('agents/list', {});
  const listed = body.data as unknown as ListedDevice[];
  assert.ok(listed.length > 0);
  return listed;
}

const activeIn = (listed: readonly ListedDevice[]): string[] =>
  listed.flatMap(({ name, sessions: { last } }) => (last && last.stop_time === undefined ? [name] : []));

/** With several servers on one database, silence ends a session, but not in the first half minute: one of them may go on. */
async function checkNothingActive(
  server: LaunchedServer,
  apiKey: string,
  { kind, isLast }: { kind: DatabaseKind; isLast: boolean },
): Promise<void> {
  const listed = await listDevices(server, apiKey);
  const online = listed.filter((each) => each.online).map(({ name }) => name);
  assert.deepEqual(online, [], 'online');
  if (kind === 'sqlite') assert.deepEqual(activeIn(listed), [], 'active');
  else if (isLast)
    await eventually(
      async () => activeIn(await listDevices(server, apiKey)),
      (names) => names.length === 0,
    );
}

/** Lets clients write, and kills the server after this many acknowledgements. */
async function writeAndKill(
  server: LaunchedServer,
  apiKey: string,
  writeLog: WriteLog,
  after: number,
): Promise<void> {
  const last = writeLog.acknowledged + after;
  const client = server.testClient.sdkClient(apiKey);
  await writeUntilGone(clients, { client, writeLog, email, random }, () => {
    // What was just acknowledged is still among the pending ones: one more means that a write is in progress.
    if (writeLog.acknowledged >= last && writeLog.lost.length > 1) server.send('SIGKILL');
  });
  const { signal, err } = await server.ended;
  assert.deepEqual([signal, err], ['SIGKILL', '']);
}

/** Everything that must be true once the server is up again. */
async function check(sql: Sql, kind: DatabaseKind, writeLog: WriteLog): Promise<void> {
  if (kind === 'sqlite') assert.deepEqual(await healthProblems(sql), [], 'health');
  assert.deepEqual(reconcile(writeLog, await readStoredRecords(sql)), [], 'promises');
  assert.deepEqual(await countProblems(sql, devices, devices), [], 'counts');
  assert.equal(await chainProblem(sql), undefined, 'log');
}

async function withSql(place: DatabaseOptions, work: (sql: Sql) => Promise<void>): Promise<void> {
  const { sql, close } = await openSql(place);
  try {
    await work(sql);
  } finally {
    await close();
  }
}

interface KillRounds {
  kind: DatabaseKind;
  kills: number;
  /** What happens to the data between the kill and the next start, besides the kill. */
  afterKill?(folder: string): void;
}

/** Kills the server so many times while it writes; fails unless every acknowledged change is there each time. */
export async function killRepeatedly({ kind, kills, afterKill }: KillRounds): Promise<string> {
  await using cleanup = new AsyncDisposableStack();
  const data = cleanup.use(createDataFolder());
  const database = await openDatabaseFor(kind);
  cleanup.defer(() => database.drop());
  const env = { DRAWBRIDGE_DATA: data.folder, ...database.env };
  const place = { folder: data.folder, url: database.env['DRAWBRIDGE_DATABASE'] };
  const writeLog = createWriteLog();
  const first = await launchServer(env);
  const apiKey = first.apiKey!;
  await first[Symbol.asyncDispose]();
  await seedDevices(place, writeLog);
  let mostLost = 0;

  for (let killed = 0; ; killed++) {
    await using server = await launchServer(env);
    if (killed > 0) await checkNothingActive(server, apiKey, { kind, isLast: killed === kills });
    // Only the server's connection is open when it starts and when it dies: it finds what the kill left.
    await withSql(place, async (sql) => {
      await check(sql, kind, writeLog);
      await leaveStalePresence(sql, kind);
    });
    if (killed === kills) break;
    await writeAndKill(server, apiKey, writeLog, random.whole(5, 59));
    afterKill?.(data.folder);
    mostLost = Math.max(mostLost, writeLog.lost.length);
  }
  assert.ok(mostLost > 0, 'some writes were under way when the server was killed');
  return `${writeLog.acknowledged} writes acknowledged, ${kills} kills`;
}
