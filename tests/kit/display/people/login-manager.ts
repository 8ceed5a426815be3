/** Stands in for the login manager, which tests do not have: `loginctl` answers what the test says, and signals follow on a system bus. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import dbus from 'dbus-native';
import { eventually } from '../../eventually.ts';
import { createSystemBus } from './system-bus.ts';

export interface LoginManager extends Disposable {
  /** Says who is signed in from now on: the properties of each login. */
  say(...logins: readonly Record<string, string>[]): void;
  /** Lets all questions fail until `answer`. */
  fail(): void;
  answer(): void;
  /** Resolves when a question has failed. */
  hasFailed(): Promise<unknown>;
}

export const manager = 'org.freedesktop.login1';

const loginctlIn = (folder: string): string => `#!/bin/sh
cd '${folder}'
[ -e failing ] && touch failed && exit 1
[ "$1" = list-sessions ] && exec cat ids
exec cat answer
`;

/** `folder` must be writable; programs of other users need not reach it. */
export function startLoginManager(folder: string): LoginManager {
  const usual = process.env['PATH'];
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  writeFileSync(join(programs, 'loginctl'), loginctlIn(programs), { mode: 0o755 });
  process.env['PATH'] = `${programs}${delimiter}${usual}`;
  const bus = createSystemBus(programs);
  const opening = bus.start().then(async () => {
    const client = await bus.connect();
    await client.requestName(manager, 0);
    return client;
  });
  return {
    say(...logins) {
      writeFileSync(join(programs, 'ids'), logins.map((_, at) => `${at + 1} 1000 ann seat0\n`).join(''));
      const blocks = logins.map((login) =>
        Object.entries(login)
          .map((pair) => `${pair.join('=')}\n`)
          .join(''),
      );
      writeFileSync(join(programs, 'answer'), blocks.join('\n'));
      void opening.then((client) => sendChange(client, 'Session', { Active: true }));
    },
    fail: () => writeFileSync(join(programs, 'failing'), ''),
    answer: () => rmSync(join(programs, 'failing')),
    hasFailed: () => eventually(() => existsSync(join(programs, 'failed')), Boolean),
    [Symbol.dispose]() {
      process.env['PATH'] = usual;
      void bus[Symbol.asyncDispose]();
    },
  };
}

/** Says that properties of the first login or of the seat have changed. */
export const sendChange = (
  client: dbus.MessageBus,
  kind: 'Session' | 'Seat',
  values: Record<string, boolean>,
): void =>
  client.sendSignal(
    `/${manager.replaceAll('.', '/')}/${kind === 'Seat' ? 'seat/seat0' : 'session/_31'}`,
    'org.freedesktop.DBus.Properties',
    'PropertiesChanged',
    'sa{sv}as',
    [
      `${manager}.${kind}`,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new dbus.Variant('b', value)])),
      [],
    ],
  );
