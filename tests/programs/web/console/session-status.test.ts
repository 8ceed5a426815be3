/** What the operator reads over the screen, and what a tab keeps of its chat. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionState } from '@drawbridge/session/operator/session';
import { screenStatus } from '@drawbridge/web/console/session-status';
import { createSavedChat } from '@drawbridge/web/ui/saved-chat';

const device = { id: 0, name: 'Quick support', os: 'linux', home: '' };
const statusOf = (
  phase: ConnectionState['phase'],
  client?: 'joined' | 'absent',
  { message = '', unable = {}, permissions = new Set<string>() } = {},
): string | undefined => screenStatus({ state: { phase, message }, client, device, unable, permissions });

test('the text over the screen tells who is awaited, and there is none while the screen is live', () => {
  assert.match(statusOf('reconnecting')!, /connection was lost/);
  assert.match(statusOf('reconnecting', 'joined')!, /connection to the client was lost/);
  assert.match(statusOf('reconnecting', 'absent')!, /client has left/);
  assert.match(statusOf('asking', 'joined')!, /client is asked/);
  assert.match(statusOf('asking')!, /person at Quick support is asked/);
  assert.equal(statusOf('reconnecting', 'absent', { message: 'Switching.' }), 'Switching.');
  assert.equal(statusOf('live', 'joined', { unable: { agent_connect: 'Not shared.' } }), 'Not shared.');
  assert.match(statusOf('live')!, /does not show the screen/);
  assert.equal(statusOf('live', 'joined', { permissions: new Set(['agent_connect']) }), undefined);
});

function createStorage(): Storage {
  const values = new Map<string, string>();
  return {
    length: 0,
    clear: () => values.clear(),
    key: () => null,
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, text) => void values.set(name, text),
    removeItem: (name) => void values.delete(name),
  };
}

test('a chat is kept by its session, the newest messages first in line, and nothing but messages is read', () => {
  const storage = createStorage();
  const chat = createSavedChat('one', storage);
  const line = (text: string) => ({ name: 'Ann', text, mine: false });
  assert.deepEqual(chat.load(), []);

  chat.save([line('x'.repeat(199_990)), line('newer'), line('newest')]);

  assert.deepEqual(chat.load(), [line('newer'), line('newest')]);
  assert.deepEqual(createSavedChat('two', storage).load(), []);
  storage.setItem('drawbridge.chat.one', JSON.stringify([line('kept'), { text: 1 }, null]));
  assert.deepEqual(chat.load(), [line('kept')]);
  storage.setItem('drawbridge.chat.one', 'no JSON');
  assert.deepEqual(chat.load(), []);
  chat.clear();
  assert.equal(storage.getItem('drawbridge.chat.one'), null);
});
