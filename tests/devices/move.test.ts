/** Devices that are asked to use another address of their server: they move only if it is the same server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadState } from '@drawbridge/agent/state';
import { startAgent } from '../kit/agent/agent.ts';
import { openTlsInterceptor, openTcpProxy } from '../kit/server/proxies.ts';
import { waitUntilOnline, createEnrolToken } from '../kit/server/enrolment.ts';
import { startService } from '../kit/server/service.ts';
import { eventually } from '../kit/eventually.ts';

const connections = (lines: readonly string[]): number =>
  lines.filter((line) => /connected as/.test(line)).length;

test('a device that is asked to move does so once it has found its own server there, and stores the address', async () => {
  let target = '';
  await using there = await openTcpProxy(() => target);
  await using service = await startService({ realTime: true, env: { DRAWBRIDGE_AGENTS_MOVE_TO: there.url } });
  target = service.testClient.baseUrl;
  const { owner } = await service.account();
  await using agent = startAgent({
    server: service.testClient.baseUrl,
    token: await createEnrolToken(owner),
  });

  await agent.until(/asked the agent to move to/);
  await eventually(
    () => connections(agent.lines),
    (count) => count === 2,
  );
  await waitUntilOnline(owner, agent.state.id);

  assert.deepEqual([agent.state.server, loadState(agent.folder)?.server], [there.url, there.url]);
  await agent.stop();
  await using again = startAgent({ server: there.url, state: { ...agent.state } });
  await again.until(/connected as/);
  assert.equal(
    again.lines.filter((line) => /asked the agent to move/.test(line)).length,
    0,
    'it is there already',
  );
});

for (const [who, problem] of [
  ['another server', /different server answers|not trusted|not the one that the server uses/],
  ['an interceptor', /intercepting the connection/],
] as const)
  test(`a device that is sent to ${who} stays with its server, and still obeys commands`, async () => {
    await using other = await startService({ realTime: true });
    let target = other.testClient.baseUrl;
    await using relay = await openTcpProxy(() => target);
    await using service = await startService({
      realTime: true,
      env: { DRAWBRIDGE_AGENTS_MOVE_TO: relay.url },
    });
    await using eavesdropper = await openTlsInterceptor(service.testClient.baseUrl);
    if (who !== 'another server') target = eavesdropper.url;
    const { owner } = await service.account();
    await using agent = startAgent({
      server: service.testClient.baseUrl,
      token: await createEnrolToken(owner),
    });

    await agent.until(problem);
    await eventually(
      () => connections(agent.lines),
      (count) => count === 2,
    );
    const { id, server } = agent.state;
    await waitUntilOnline(owner, id);

    assert.equal(server, service.testClient.baseUrl);
    assert.deepEqual((await owner.call('agents/reboot', { id })).body, { status: 0 });
    assert.equal(relay.count(), 1, 'it does not try again and again');
  });
