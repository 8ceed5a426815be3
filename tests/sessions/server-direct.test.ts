/** Bytes that bypass the relay in the history, as the device reports them, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { formatCount } from '@drawbridge/contract/session/direct-count';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import {
  postToSession,
  attendedDevice,
  openSessionLink,
  randomKey,
  joinRelay,
  type RelayPeer,
} from '../kit/session/session-ends.ts';
import { eventually } from '../kit/eventually.ts';

for (const { kind, skip } of databases)
  describe(`bytes that bypass the relay, on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    /** A running session with a device that can report anything. */
    async function running() {
      const { owner, device } = await attendedDevice(service);
      const { url } = (await owner.call('agents/connect', { agent_id: device.id })).body['data'];
      const opened = await openSessionLink(service, url);
      const operator = joinRelay(opened);
      await Promise.all([operator.paired, device.peers[0]!.paired]);
      const row = async (): Promise<{ bytes: number; stop?: number }> =>
        (await owner.call('history/list', { agent_id: device.id })).body['data'][0];
      await eventually(row, (begun) => begun !== undefined);
      return { owner, device, opened, operator, row };
    }

    /** Reports it, and resolves when the relay has received it. */
    async function tell({ socket }: RelayPeer, bytes: number): Promise<void> {
      const answered = new Promise((resolve) => void socket.once('pong', resolve));
      socket.send(formatCount(bytes));
      socket.ping();
      await answered;
    }

    const back = async ({ session, secret }: OpenReply): Promise<RelayPeer> => {
      const { text } = await postToSession(service, 'resume', { session, secret, key: randomKey() });
      return joinRelay(JSON.parse(text) as OpenReply);
    };

    test('a device that is killed leaves its last report, and more is added when the session resumes', async () => {
      const { device, opened, operator, row } = await running();
      await using _device = device;
      await tell(device.peers[0]!, 5_000);
      device.peers[0]!.socket.terminate();
      await operator.closed;
      await eventually(row, ({ bytes }) => bytes > 0);
      assert.equal((await row()).bytes, 5_000);

      await using again = await back(opened);
      await again.paired;
      await tell(device.peers[1]!, 300);
      device.peers[1]!.socket.close(1_000);

      const { bytes } = await eventually(row, ({ stop }) => stop !== undefined);
      assert.equal(bytes, 5_300);
    });

    test('the bytes of an old pairing are kept when a new one replaces it', async () => {
      const { device, opened, operator, row } = await running();
      await using _device = device;
      await tell(device.peers[0]!, 700);

      await using again = await back(opened);
      await again.paired;
      await operator.closed;

      const { bytes, stop } = await eventually(row, (now) => now.bytes > 0);
      assert.deepEqual([bytes, stop], [700, undefined]);
      assert.equal((await row()).bytes, 700);
    });

    test('when the server ends a session, the bytes that bypassed the relay are in the history', async () => {
      const { owner, device, opened, operator, row } = await running();
      await using _device = device;
      await using _operator = operator;
      await tell(device.peers[0]!, 900);

      await owner.call('sessions/close', { id: opened.session });

      const { bytes, stop } = await eventually(row, (now) => now.bytes > 0);
      assert.deepEqual([bytes, stop !== undefined], [900, true]);
    });

    for (const bytes of [9_007_199_254_740_991, 99])
      test(`a device that suddenly reports ${bytes} is rejected and ignored from then on`, async () => {
        const { device, operator, row } = await running();
        await using _device = device;
        await using _operator = operator;
        await tell(device.peers[0]!, 100);

        device.peers[0]!.socket.send(formatCount(bytes));

        assert.equal((await device.peers[0]!.closed).code, relayCloseCodes.not_understood.code);
        const counted = await eventually(row, (now) => now.bytes > 0);
        assert.equal(counted.bytes, 100);
      });
  });
