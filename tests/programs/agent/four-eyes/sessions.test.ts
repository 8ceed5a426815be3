/** Sessions on a device with four eyes: old servers, the end of an approval, and recordings that were not approved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApprovals } from '@drawbridge/agent/four-eyes/approvals';
import { createAgentSessions, type AgentSessions } from '@drawbridge/agent/session/agent-sessions';
import { createDeviceKey, signWith } from '@drawbridge/agent/uplink/keys';
import type { Approval } from '@drawbridge/contract/session/approval';
import { decodeBody, encodeBody, signedBytes } from '@drawbridge/contract/session/signed';
import { createClock } from '@drawbridge/session/clock';
import { createFakePlatform } from '../../../kit/agent/fake-platform.ts';
import { connectOperator } from '../../../kit/session/operator.ts';
import { openSessionFixture } from '../../../kit/session/session-fixture.ts';

const second = createDeviceKey();

async function openFixture() {
  const now = (): number => Math.floor(Date.now() / 1_000);
  const state = { deviceKey: '' };
  const approvals = createApprovals({
    approvers: () => [{ name: 'second@example.com', key: second.publicKey }],
    device: () => ({ agent: 12, name: 'Till', device_key: state.deviceKey }),
    now,
    clock: createClock(),
    log() {},
  });
  const fixture = await openSessionFixture({
    platform: createFakePlatform(),
    openSessions: (options): AgentSessions =>
      createAgentSessions({ ...options, approvals, agentId: () => 12 }),
  });
  state.deviceKey = fixture.deviceKey.publicKey;
  /** Signs what waits on the device. */
  const approve = async (changes: Partial<Approval> = {}): Promise<void> => {
    const offered = decodeBody('approval', approvals.waiting()[0]!.statement)!;
    const body = encodeBody('approval', { ...offered, ...changes });
    const message = new TextDecoder().decode(signedBytes('approval', body));
    await approvals.approve(`${body}.${signWith(second.privateKey, message)}`);
  };
  return { fixture, now, approve };
}

test('a server that cannot pass an approval on is told at once', async () => {
  const { fixture } = await openFixture();
  await using _fixture = fixture;

  await assert.rejects(fixture.sessions.open(fixture.invite().input), /Update the server/);
});

test('a session gets only what was approved, and ends by itself with the approval', async () => {
  const { fixture, now, approve } = await openFixture();
  await using _fixture = fixture;
  const permissions = ['agent_chat', 'agent_terminal_mode'];
  const { input, operatorOptions } = fixture.invite({ permissions, session: 5 });
  assert.deepEqual(await fixture.sessions.open({ ...input, approvals: true }), { approval: true });
  await using operator = connectOperator(operatorOptions);
  await operator.until('state', ({ awaits }) => awaits === 'approval');

  await approve({ permissions: ['agent_terminal_mode'], until: now() + 2 });

  const state = await operator.until('state', ({ phase }) => phase === 'live');
  assert.deepEqual(state.permissions, ['agent_terminal_mode']);
  const record = { url: 'https://a.example', token: 'x', key: 'K'.repeat(43) };
  await assert.rejects(fixture.sessions.record({ session: 5, record }), /without a recording/);
  const { by, message } = await operator.until('end');
  assert.deepEqual([by, message], ['device', 'The approval of the session has ended.']);
});
