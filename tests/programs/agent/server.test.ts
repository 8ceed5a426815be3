/**
 * The real agent and the real server: a link is opened, operator and device meet at the server's own relay,
 * and revoked permissions end the session.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenReply } from '@drawbridge/contract/session/open';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { createKeyPair } from '@drawbridge/session/node/crypto';
import { startAgent } from '../../kit/agent/agent.ts';
import { listDevices, createEnrolToken } from '../../kit/server/enrolment.ts';
import { startService } from '../../kit/server/service.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { postToSession, linkCode } from '../../kit/session/session-ends.ts';
import { connectOperator } from '../../kit/session/operator.ts';
import { eventually } from '../../kit/eventually.ts';

const desktop = {
  onClose: () => {},
  banner: async () => ({ onStop: () => {}, setText: () => {}, close: () => {} }),
  close: () => {},
} as unknown as Desktop;

test('a link leads to the device, what is permitted is done there, and the server can end it', async () => {
  await using service = await startService({ realTime: true });
  const { owner } = await service.account();
  const machine = createFakePlatform('desk', { desktop: async () => desktop });
  await using agent = startAgent({
    server: service.testClient.baseUrl,
    token: await createEnrolToken(owner),
    machine,
  });
  await agent.until(/connected/);
  const [device] = await eventually(
    () => listDevices(owner),
    ([first]) => first?.online === true,
  );
  const { body } = await owner.call('agents/connect', { agent_id: device!.id });
  const sessionKey = createKeyPair();

  const answer = await postToSession(service, 'open', {
    code: linkCode(body['data'].url),
    key: sessionKey.publicKey,
  });
  const opened = JSON.parse(answer.text) as OpenReply;
  await using ann = connectOperator({
    relay: opened.relay,
    ticket: opened.ticket,
    pair: opened.pair,
    serverKey: opened.server_key,
    deviceKey: opened.device.key!,
    sessionKey,
  });
  const state = await ann.until('state');
  ann.sendMessage('lock', {});
  await eventually(
    () => machine.done,
    (done) => done.includes('lock'),
  );
  await owner.call('sessions/close', { id: opened.session });
  await ann.gone;

  assert.equal(answer.http, 200);
  assert.equal(opened.device.key, agent.state.publicKey);
  assert.equal(state.phase, 'live');
  await agent.until(/session \d+: ended/);
});

test('a device that reboots announces it, and the operator resumes the same session', async () => {
  await using service = await startService({ realTime: true });
  const { owner } = await service.account();
  const machine = createFakePlatform('desk', { desktop: async () => desktop });
  await using agent = startAgent({
    server: service.testClient.baseUrl,
    token: await createEnrolToken(owner),
    machine,
  });
  const [device] = await eventually(
    () => listDevices(owner),
    ([first]) => first?.online === true,
  );
  const { body } = await owner.call('agents/connect', { agent_id: device!.id });
  const sessionKey = createKeyPair();
  const answer = await postToSession(service, 'open', {
    code: linkCode(body['data'].url),
    key: sessionKey.publicKey,
  });
  const opened = JSON.parse(answer.text) as OpenReply;
  const { relay, ticket, pair, server_key: serverKey, session, secret } = opened;
  await using ann = connectOperator({
    relay,
    ticket,
    pair,
    serverKey,
    deviceKey: opened.device.key!,
    sessionKey,
  });
  await ann.until('state', ({ phase }) => phase === 'live');

  ann.sendMessage('reboot', { safe: false });
  const end = await ann.until('end');
  await ann.gone;
  await agent.until(/session \d+: ended/);
  const again = await postToSession(service, 'resume', {
    session,
    secret,
    key: createKeyPair().publicKey,
  });

  assert.deepEqual([end.by, end.back], ['device', true]);
  assert.deepEqual(machine.done, ['reboot']);
  assert.equal(again.http, 200, again.text);
  assert.equal((JSON.parse(again.text) as OpenReply).session, session);
});
