/** The sentence that a notification consists of, in the panel and in e-mails. */
import type { NotificationKind } from '@drawbridge/contract/choices';

export interface NotificationContent {
  kind: NotificationKind;
  /** How many devices or clients it is about. */
  count: number;
  /** Some of them; the name of a client can be empty. `operator` began the session. */
  subjects: readonly { name: string; operator: string }[];
}

const oneOf: Record<NotificationKind, (name: string, operator: string) => string> = {
  offline: (name) => `${name} is offline`,
  back: (name) => `${name} is back online`,
  new_device: (name) => `New device: ${name}`,
  session_began: (name, operator) =>
    operator === '' ? `A session with ${name} began` : `${operator} began a session with ${name}`,
  client_waits: (name) => (name === '' ? 'A client is waiting' : `${name} is waiting for support`),
};

const manyOf: Record<NotificationKind, (count: number) => string> = {
  offline: (count) => `${count} devices are offline`,
  back: (count) => `${count} devices are back online`,
  new_device: (count) => `${count} new devices`,
  session_began: (count) => `${count} sessions began`,
  client_waits: (count) => `${count} clients are waiting`,
};

export function notificationTitle({ kind, count, subjects }: NotificationContent): string {
  const [first = { name: '', operator: '' }] = subjects;
  if (count === 1) return oneOf[kind](first.name, first.operator);
  const named = [...new Set(subjects.map(({ name }) => name))].filter((name) => name !== '');
  const rest = count - named.length;
  const list = [...named, ...(rest > 0 && named.length > 0 ? [`${rest} more`] : [])];
  return list.length === 0 ? manyOf[kind](count) : `${manyOf[kind](count)}: ${joinNames(list)}`;
}

const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
