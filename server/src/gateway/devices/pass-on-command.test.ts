/** What a node answers when it cannot ask the store about a device. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passOnCommand } from './pass-on-command.ts';
import type { UplinkConnection } from './uplink-connection.ts';

test('without the store a command is not passed on, and the caller is told that the device was not reached', async () => {
  const standings = (): Promise<never> => Promise.reject(new Error('the store is away'));
  const sent: unknown[] = [];
  const socket = { send: (text: string) => sent.push(text) };
  const connection = { agentId: 7, epoch: 'e', socket } as unknown as UplinkConnection;

  const answer = await passOnCommand({ store: { deviceIdentity: { standings } } }, connection, {
    name: 'reboot',
    input: { safe: false },
  });

  assert.deepEqual([answer, sent], [{ none: 'unreachable' }, []]);
});
