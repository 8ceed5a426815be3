/** The server as a service of a live systemd: installed, used, stopped, started with the machine, and removed. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../kit/eventually.ts';
import { insideMachine, openSystemd } from '../kit/agent/systemd.ts';
import { skipWithout } from '../kit/requirements.ts';
import { freePort } from '../kit/free-port.ts';

const dropIn = '/etc/systemd/system/drawbridge.service.d/machine.conf';
const launcher = join(import.meta.dirname, '../../cli/bin/drawbridge.cjs');
const command = [process.execPath, launcher].map(insideMachine).join(' ');

test(
  'under systemd the server runs as its own user, writes only its data, starts with the machine, and leaves its data when it is removed',
  { skip: skipWithout('systemd in a container') },
  async () => {
    const port = await freePort();
    await using machine = await openSystemd();
    const service = (words: string): Promise<string> => machine.run(`${command} service ${words}`);
    const show = async (property: string): Promise<string> =>
      (await machine.run(`systemctl show -P ${property} drawbridge.service`)).trim();
    const untilReady = (): Promise<string> =>
      eventually(
        () => machine.run(`curl -sk https://127.0.0.1:${port}/readyz`).catch(() => ''),
        (text) => text === 'ready\n',
      );

    await machine.run('mkdir -p /etc/drawbridge /etc/systemd/system/drawbridge.service.d');
    await machine.run(`echo 'listen = "127.0.0.1:${port}"' > /etc/drawbridge/drawbridge.toml`);
    // systemd prepares private devices in /tmp, which is read-only in this machine. Every other restriction applies.
    await machine.run(`printf '[Service]\\nPrivateDevices=no\\n' > ${dropIn}`);
    assert.match(await service('install'), /The server is installed/);
    await untilReady();
    assert.deepEqual(
      [
        await show('User'),
        await show('UnitFileState'),
        await machine.run('stat -c "%U %a" /var/lib/drawbridge'),
      ],
      ['drawbridge', 'enabled', 'drawbridge 700\n'],
    );
    assert.deepEqual(JSON.parse(await service('status --json')), { installed: true, running: true });

    await machine.run('systemctl stop drawbridge.service');
    assert.deepEqual([await show('Result'), await show('ExecMainStatus')], ['success', '0']);
    await machine.turnOff();
    await machine.turnOn();
    await untilReady();

    assert.match(await service('uninstall'), /The settings and the data stay/);
    const left = await machine.run(
      'ls /var/lib/drawbridge/drawbridge.db /etc/drawbridge; ls /etc/systemd/system',
    );
    assert.match(left, /drawbridge\.db[^]*drawbridge\.toml/);
    assert.doesNotMatch(left, /drawbridge\.service$/m);
  },
);
