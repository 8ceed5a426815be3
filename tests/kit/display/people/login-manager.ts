/** Stands in for the login manager, which tests do not have: `loginctl` answers what the test says, and signals follow on a system bus. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import dbus from 'dbus-native';
import { eventually } from '../../eventually.ts';

export interface LoginManager extends Disposable {
  /** Says who is signed in from now on: the properties of each login. */
  say(...logins: readonly Record<string, string>[]): void;
}

const manager = 'org.freedesktop.login1';

/** `folder` must be writable; programs of other users need not reach it. */
export function startLoginManager(folder: string): LoginManager {
  const usual = {
    PATH: process.env['PATH'],
    DBUS_SYSTEM_BUS_ADDRESS: process.env['DBUS_SYSTEM_BUS_ADDRESS'],
  };
  const programs = join(folder, 'programs');
  const [ids, answer] = [join(programs, 'ids'), join(programs, 'answer')];
  mkdirSync(programs);
  writeFileSync(
    join(programs, 'loginctl'),
    `#!/bin/sh\n[ "$1" = list-sessions ] && exec cat '${ids}'\nexec cat '${answer}'\n`,
  );
  chmodSync(join(programs, 'loginctl'), 0o755);
  process.env['PATH'] = `${programs}${delimiter}${usual.PATH}`;
  const bus = startSystemBus(join(programs, 'bus'));
  return {
    say(...logins) {
      writeFileSync(ids, logins.map((_, at) => `${at + 1} 1000 ann seat0\n`).join(''));
      const blocks = logins.map((login) =>
        Object.entries(login)
          .map((pair) => `${pair.join('=')}\n`)
          .join(''),
      );
      writeFileSync(answer, blocks.join('\n'));
      bus.tellChange();
    },
    [Symbol.dispose]() {
      bus[Symbol.dispose]();
      for (const [name, value] of Object.entries(usual))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    },
  };
}

interface SystemBus extends Disposable {
  /** Sends the signal that one login came to the front, as soon as the bus runs. */
  tellChange(): void;
}

function startSystemBus(socket: string): SystemBus {
  const address = `unix:path=${socket}`;
  process.env['DBUS_SYSTEM_BUS_ADDRESS'] = address;
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', `--address=${address}`], { stdio: 'ignore' });
  const opening = eventually(() => existsSync(socket), Boolean).then(async () => {
    const client = dbus.createClient({ stream: connect(socket) });
    client.connection.on('error', () => {});
    await client.requestName(manager, 0);
    return client;
  });
  return {
    tellChange: () =>
      void opening.then((client) =>
        client.sendSignal(
          `/${manager.replaceAll('.', '/')}/session/_31`,
          'org.freedesktop.DBus.Properties',
          'PropertiesChanged',
          'sa{sv}as',
          [`${manager}.Session`, { Active: new dbus.Variant('b', true) }, []],
        ),
      ),
    [Symbol.dispose]() {
      void opening.then((client) => client.connection.end()).catch(() => {});
      daemon.kill();
    },
  };
}
