/** What a node answers when it cannot ask the store about a device. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { passOnCommand } from './pass-on-command.ts';
import { resolveCommand, type UplinkConnection } from './uplink-connection.ts';

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

test('a command that arrives twice is carried out once, and both callers get its answer', async () => {
  const standings = async () => [{ id: 7, epoch: 'e', approved: true, leaseUntil: 130 }];
  const sent: string[] = [];
  const socket = { send: (text: string) => sent.push(text) };
  const connection = {
    agentId: 7,
    epoch: 'e',
    version: 9,
    approved: true,
    lastNumber: 0,
    socket,
    pendingCommands: new Map(),
    sentCommands: new Map(),
  } as unknown as UplinkConnection;
  const passOn = (id: string): Promise<unknown> =>
    passOnCommand({ store: { deviceIdentity: { standings } } }, connection, { name: 'lock', input: {}, id });

  const answers = [passOn('a'), passOn('a'), passOn('b')];
  await nextTurn();
  for (const number of [1, 2]) resolveCommand(connection, number, { done: {} });

  assert.deepEqual(await Promise.all(answers), [{ done: {} }, { done: {} }, { done: {} }]);
  assert.equal(sent.length, 2);
});
