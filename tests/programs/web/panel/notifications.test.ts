/** Which notifications the panel announces: those that arrive while it is open, once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnnouncer } from '@drawbridge/web/panel/notifications/new-notifications';

const unread = (...ids: number[]) => ids.map((id) => ({ id, read: false }));

test('what was there when the panel was opened is not announced', () => {
  assert.deepEqual(createAnnouncer().next(unread(2, 1)), []);
});

test('each new notification is announced once, oldest first', () => {
  const announcer = createAnnouncer();
  announcer.next(unread(2, 1));

  assert.deepEqual(announcer.next(unread(4, 3, 2, 1)), unread(3, 4));
  assert.deepEqual(announcer.next(unread(4, 3, 2, 1)), []);
});

test('the first notification of all is announced, and one that was read elsewhere is not', () => {
  const announcer = createAnnouncer<{ id: number; read: boolean }>();
  announcer.next([]);

  assert.deepEqual(
    announcer.next([
      { id: 2, read: true },
      { id: 1, read: false },
    ]),
    unread(1),
  );
});

test('one that becomes invisible does not let older ones be announced again', () => {
  const announcer = createAnnouncer();
  announcer.next(unread(5, 4));

  assert.deepEqual(announcer.next(unread(4)), []);
  assert.deepEqual(announcer.next(unread(5, 4)), []);
});
