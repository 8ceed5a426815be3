/** A session whose server was killed: it ends with the bytes that were known, and the audit log says so. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { eventually } from '../kit/eventually.ts';
import { freePort } from '../kit/free-port.ts';
import { firstApiKey, startServerProcess, type ServerProcess } from '../kit/process.ts';
import { createEnrolToken, waitUntilOnline } from '../kit/server/enrolment.ts';
import { createPersonAt } from '../kit/server/person-at.ts';
import { openTestClient } from '../kit/server/test-client.ts';
import { joinRelay, openSessionLink, startFakeDevice } from '../kit/session/session-ends.ts';

/** A frame that the relay passes on without understanding it. */
const frame = Buffer.from([0x05, 1, 2, 3]);

interface PastSession {
  id: number;
  bytes: number;
  stop?: number;
  ended_by?: string;
}

const at = ({ url, folder }: ServerProcess) => {
  const server = {
    config: { listen: { port: Number(new URL(url).port) }, publicUrl: url },
    certificate: { certFile: `${folder}/tls/cert.pem` },
  } as never;
  return { server, testClient: openTestClient(server) };
};

test('bytes are counted once, and a session whose server was killed keeps those that were known, with a line in the audit log', async () => {
  const port = await freePort();
  const killed = await startServerProcess({}, { port });
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rmSync(killed.folder, { recursive: true, force: true }));
  cleanup.use(killed);
  const owner = createPersonAt(killed.url, firstApiKey(killed), killed.folder);
  await using device = await startFakeDevice(killed.url, await createEnrolToken(owner));
  await waitUntilOnline(owner, device.id);
  const connect = async () => {
    const { url } = (await owner.call('agents/connect', { agent_id: device.id })).body['data'];
    const opened = await openSessionLink(at(killed), url);
    const operator = cleanup.use(joinRelay(opened));
    await operator.paired;
    operator.socket.send(frame);
    return { id: opened.session, operator };
  };
  const [closed, lost] = [await connect(), await connect()];
  const history = async (): Promise<PastSession[]> => (await owner.call('history/list')).body['data'];
  await eventually(history, (rows) => rows.length === 2 && rows.every(({ bytes }) => bytes > 0));
  closed.operator.socket.close(1_000);
  await eventually(history, (rows) => rows.some(({ stop }) => stop !== undefined));

  await killed.end('SIGKILL');
  cleanup.use(await startServerProcess({}, { port, folder: killed.folder }));

  const bytes = frame.length;
  assert.deepEqual(
    (await history()).map((row) => [row.id, row.ended_by, row.bytes]),
    [
      [lost.id, 'lost', bytes],
      [closed.id, 'operator', bytes],
    ],
  );
  const { body } = await owner.call('audit/list', { operation: 'session/close' });
  assert.deepEqual(
    body['data'].map(({ input }: { input: object }) => input),
    [
      { session: lost.id, by: 'lost', bytes },
      { session: closed.id, by: 'operator', bytes },
    ],
  );
});
