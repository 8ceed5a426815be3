/** The agent as a service of a live systemd: installed from the single file, killed, turned off and on, and removed. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Person } from '../kit/account.ts';
import { devicesOf, newToken } from '../kit/enrol.ts';
import { startHouse } from '../kit/house.ts';
import { skipWithout } from '../kit/machine.ts';
import { seen } from '../kit/seen.ts';
import { singleFile } from '../kit/single-file.ts';
import { openSystemd } from '../kit/systemd.ts';

const skip = skipWithout('systemd in a room of its own');
const unit = 'drawbridge-agent.service';

const isAlone = async (owner: Person, online: boolean) => {
  const [device, ...others] = await seen(
    () => devicesOf(owner),
    ([first]) => first?.online === online,
    40_000,
  );
  assert.deepEqual(others, [], 'it is the same device all the time');
  return device as unknown as { id: number; installed: boolean };
};

test(
  'under systemd the agent runs as a service, comes back after a crash and after a reboot, and goes when told to',
  { skip },
  async () => {
    await using cleanup = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-live-'));
    cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
    const program = join(folder, 'drawbridge-agent');
    copyFileSync(await singleFile(), program);
    const house = cleanup.use(await startHouse({ realTime: true }));
    const { owner } = await house.account();
    const machine = cleanup.use(await openSystemd());
    const show = async (property: string) =>
      (await machine.run(`systemctl show -P ${property} ${unit}`)).trim();

    const said = await machine.run(
      `${program} install --server ${house.door.baseUrl} --token ${await newToken(owner)}`,
    );
    assert.match(said, /The agent is installed/);
    const { installed } = await isAlone(owner, true);
    assert.deepEqual(
      [installed, await show('ActiveState'), await show('UnitFileState')],
      [true, 'active', 'enabled'],
    );
    const status = JSON.parse(await machine.run('/usr/local/bin/drawbridge-agent status --json')) as object;
    assert.partialDeepStrictEqual(status, { installed: true, running: true });

    await machine.run(`systemctl kill -s KILL ${unit}`);
    await isAlone(owner, false);
    await isAlone(owner, true);
    assert.equal(await show('NRestarts'), '1', 'systemd started it again');

    await machine.turnOff();
    await isAlone(owner, false);
    await machine.turnOn();
    await isAlone(owner, true);

    await machine.run('/usr/local/bin/drawbridge-agent uninstall');
    await isAlone(owner, false);
    assert.equal(await show('LoadState'), 'not-found');
    const left = await machine.run('find /etc/systemd /usr/local/bin /usr/local/lib /var/lib ! -type d');
    assert.equal(left, '');
  },
);
