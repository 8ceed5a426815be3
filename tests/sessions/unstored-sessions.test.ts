/** Sessions whose beginning could not be stored when it happened: they are in the history and in the audit log all the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHousekeeping } from '@drawbridge/server/jobs/housekeeping';
import { eventually } from '../kit/eventually.ts';
import type { TestPerson } from '../kit/server/account.ts';
import { runSql } from '../kit/server/raw-sql.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { attendedDevice, joinRelay, openSessionLink } from '../kit/session/session-ends.ts';

/** Until the returned function is called, the beginning of a session cannot be stored. */
async function refuseBeginnings(service: TestService): Promise<() => Promise<unknown>> {
  await runSql(
    service,
    `create trigger refuse before update of begun on session when new.begun = 1
       begin select raise(abort, 'refused by the test'); end`,
  );
  return () => runSql(service, 'drop trigger refuse');
}

const failures = ({ logged }: TestService): number =>
  logged.filter((line) => line.includes('a session could not be stored')).length;

const startAlone = () => startService({ database: 'sqlite', cluster: false });

/** Both sides are connected, and the server has failed to store it. */
async function unstoredSession(service: TestService) {
  const { owner, device } = await attendedDevice(service);
  const { url } = (await owner.call('agents/connect', { agent_id: device.id })).body['data'];
  const opened = await openSessionLink(service, url);
  const operator = joinRelay(opened);
  await operator.paired;
  await eventually(
    () => failures(service),
    (count) => count > 0,
  );
  return { owner, device, operator, id: opened.session };
}

const historyOf = async (owner: TestPerson): Promise<{ id: number; start: number }[]> =>
  (await owner.call('history/list')).body['data'];

test('a session that could not be stored when it began is listed, with the time of its beginning, once that is possible', async () => {
  await using service = await startAlone();
  const store = await refuseBeginnings(service);
  const began = service.server.store.now();
  const { owner, device, operator, id } = await unstoredSession(service);
  await using _device = device;
  await using _operator = operator;
  service.advance(20);

  await store();

  const [session] = await eventually(
    () => historyOf(owner),
    (rows) => rows.length === 1,
  );
  assert.deepEqual([session!.id, session!.start], [id, began]);
});

test('a session that could not be stored before it ended is in the history and in the audit log', async () => {
  await using service = await startAlone();
  const store = await refuseBeginnings(service);
  const { owner, device, operator, id } = await unstoredSession(service);
  await using _device = device;
  const before = failures(service);
  operator.socket.close(1_000);
  await operator.closed;
  await eventually(
    () => failures(service),
    (count) => count > before,
  );

  await store();

  await eventually(
    () => historyOf(owner),
    (rows) => rows.some((row) => row.id === id),
  );
  service.advance(61);
  await runHousekeeping(service.server.store, 7 * 86_400);
  const { body } = await owner.call('audit/list', { operation: 'session/close' });
  assert.deepEqual(
    body['data'].map(({ input }: { input: { session: number } }) => input.session),
    [id],
  );
});
