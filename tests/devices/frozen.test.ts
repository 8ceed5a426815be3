/**
 * A device that falls silent without closing its connection: a real agent process that is frozen, as when a
 * cable is pulled.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listDevices, waitUntilOnline, createEnrolToken } from '../kit/server/enrolment.ts';
import { startService } from '../kit/server/service.ts';
import { startAgentProcess } from '../kit/process.ts';
import { startStopwatch } from '../kit/stopwatch.ts';

test('a frozen agent is offline within 30 seconds, a command to it is not reported as done, and it reconnects', async () => {
  await using service = await startService({ realTime: true });
  const { owner } = await service.account();
  await using agent = startAgentProcess(service.testClient.baseUrl, await createEnrolToken(owner));
  await agent.until(/connected as device/);
  const { id } = (await listDevices(owner))[0]!;
  await waitUntilOnline(owner, id);

  agent.signal('SIGSTOP');
  using frozen = startStopwatch();
  const reboot = owner.call('agents/reboot', { id });
  await waitUntilOnline(owner, id, false);
  const seconds = frozen.ms() / 1_000;
  agent.signal('SIGCONT');
  await waitUntilOnline(owner, id, true);

  assert.ok(seconds <= 30, `it took ${seconds} s`);
  assert.deepEqual([(await reboot).body.status, (await reboot).body.error?.code], [1, 'agent_silent']);
  assert.deepEqual((await owner.call('agents/lock', { id })).body, { status: 0 });
});
