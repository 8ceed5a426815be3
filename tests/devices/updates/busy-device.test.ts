/** A device that is asked to update while an operator is connected refuses, and begins when the operator has left. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBusFleet } from '@drawbridge/server/gateway/devices/fleet';
import { startAgent } from '../../kit/agent/agent.ts';
import { recordUpdateRequests } from '../../kit/agent/update-requests.ts';
import { eventually } from '../../kit/eventually.ts';
import { createEnrolToken, waitUntilOnline } from '../../kit/server/enrolment.ts';
import { startService } from '../../kit/server/service.ts';
import { openLiveSession } from '../../kit/session/open-live-session.ts';

test('a device refuses to update while an operator is connected', async () => {
  await using service = await startService({ realTime: true });
  const { owner } = await service.account();
  const { requested, createUpdates } = recordUpdateRequests();
  await using agent = startAgent({
    server: service.testClient.baseUrl,
    token: await createEnrolToken(owner),
    createUpdates,
  });
  await agent.until(/connected/);
  const { id } = agent.state;
  await waitUntilOnline(owner, id);
  const ask = () =>
    createBusFleet(service.server.bus, service.server.store).command(id, 'self_update', { version: '1.1.0' });
  await using operator = await openLiveSession(service, owner, id);

  const refused = await ask();
  const before = [...requested];
  operator.leave();
  await eventually(ask, (answer) => typeof answer === 'object' && 'done' in answer);

  assert.deepEqual(refused, { refused: 'An operator is connected to the device.' });
  assert.deepEqual([before, requested], [[], ['1.1.0']]);
});
