/** What e-mails say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notificationsEmail } from './emails.ts';

const mailed = {
  pages: { list: 'https://help.example.com/list', settings: 'https://help.example.com/settings' },
  messageId: '<notification-7@help.example.com>',
};

test('each notification is mailed with its own time, in UTC wherever the server is', () => {
  const zone = process.env['TZ'];
  process.env['TZ'] = 'Asia/Tokyo';
  const notifications = [
    { title: 'Till is back online', time: Date.UTC(2026, 0, 1, 0, 4, 59) / 1_000 },
    { title: 'Till is offline', time: Date.UTC(2025, 11, 31, 23, 59) / 1_000 },
  ];

  const { text } = notificationsEmail('ann@example.com', { ...mailed, notifications });
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;

  assert.deepEqual(text.split('\n\n').slice(0, 2), [
    'Till is back online\n2026-01-01 00:04 UTC',
    'Till is offline\n2025-12-31 23:59 UTC',
  ]);
});

test('the subject is the sentence of the notification, or their number, and one line of limited length', () => {
  const subjectOf = (...titles: string[]): string =>
    notificationsEmail('ann@example.com', {
      ...mailed,
      notifications: titles.map((title) => ({ title, time: 0 })),
    }).subject;

  assert.equal(subjectOf('Till is offline'), 'Till is offline');
  assert.equal(subjectOf('Till is offline', 'New device: Lamp'), '2 notifications');
  assert.equal(subjectOf(`New device: ${'x'.repeat(200)}`), `New device: ${'x'.repeat(107)}…`);
});
