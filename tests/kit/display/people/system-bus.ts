/** A system bus of the tests' own, which the agent in this process then uses. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import dbus from 'dbus-native';

export interface SystemBus extends AsyncDisposable {
  /** Starts it again, after `stop`. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** A connection of another program. */
  connect(): Promise<dbus.MessageBus>;
}

const setting = 'DBUS_SYSTEM_BUS_ADDRESS';

const configuration = (socket: string): string => `<busconfig>
  <type>system</type>
  <listen>unix:path=${socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow send_type="signal"/><allow receive_sender="*"/>
  </policy>
</busconfig>
`;

/** `folder` must be writable. The bus does not run yet. */
export function createSystemBus(folder: string): SystemBus {
  const usual = process.env[setting];
  const [socket, file] = [join(folder, 'system-bus'), join(folder, 'system-bus.conf')];
  let daemon: ChildProcess | undefined;
  writeFileSync(file, configuration(socket));
  process.env[setting] = `unix:path=${socket}`;
  const stop = async (): Promise<void> => {
    const ended = daemon && once(daemon, 'exit');
    daemon?.kill('SIGKILL');
    await ended;
    daemon = undefined;
    rmSync(socket, { force: true });
  };
  return {
    async start() {
      const options = ['--nofork', '--nopidfile', '--print-address', `--config-file=${file}`];
      const started = spawn('dbus-daemon', options, { stdio: ['ignore', 'pipe', 'ignore'] });
      daemon = started;
      // It prints its address when it listens.
      await once(started.stdout, 'data');
    },
    stop,
    async connect() {
      const client = dbus.createClient({ stream: connect(socket) });
      client.connection.on('error', () => {});
      await client.getId();
      return client;
    },
    async [Symbol.asyncDispose]() {
      // At once, because the next test may start its own bus before this one has stopped.
      if (usual === undefined) delete process.env[setting];
      else process.env[setting] = usual;
      await stop();
    },
  };
}
