/**
 * The agent as a service of a live systemd: installed from the single file, used, killed, turned off and on,
 * and removed.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { grantRootSetting } from '@drawbridge/agent/platform/linux/wayland/kde/grant';
import { encodeDataChunk } from '@drawbridge/contract/session/binary-frames';
import type { TestPerson } from '../../kit/server/account.ts';
import { uploadToDevice } from '../../kit/session/transfer-file.ts';
import { listDevices, createEnrolToken } from '../../kit/server/enrolment.ts';
import { startService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openLiveSession } from '../../kit/session/open-live-session.ts';
import type { Operator } from '../../kit/session/operator.ts';
import { eventually } from '../../kit/eventually.ts';
import { buildSingleFile } from '../../kit/agent/single-file.ts';
import { openSystemd } from '../../kit/agent/systemd.ts';

const skip = skipWithout('systemd in a container');
const unit = 'drawbridge-agent.service';

const isAlone = async (owner: TestPerson, online: boolean) => {
  const [device, ...others] = await eventually(
    () => listDevices(owner),
    ([first]) => first?.online === online,
  );
  assert.deepEqual(others, [], 'it is the same device all the time');
  return device as unknown as { id: number; installed: boolean };
};

/** Types a line into a new terminal, which is closed afterwards. */
async function type(operator: Operator, line: string): Promise<void> {
  operator.sendMessage('terminal', { do: 'open', id: 1, columns: 80, rows: 24 });
  operator.send('terminal_bytes', encodeDataChunk({ id: 1, at: 0, data: Buffer.from(`${line}; exit\n`) }));
  await operator.until('terminal', (word) => word.do === 'closed');
}

test(
  'under systemd the agent runs as a service, reaches the whole machine, restarts after a crash and a reboot, and can be removed',
  { skip },
  async () => {
    await using cleanup = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-live-'));
    cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
    const program = join(folder, 'drawbridge-agent');
    copyFileSync(await buildSingleFile(), program);
    const service = cleanup.use(await startService({ realTime: true }));
    const { owner } = await service.account();
    const machine = cleanup.use(await openSystemd());
    const show = async (property: string) =>
      (await machine.run(`systemctl show -P ${property} ${unit}`)).trim();

    // A device with KDE; other folders than those of home belong to the real machine.
    await machine.run('mkdir -p /home/kde/usr/bin && touch /home/kde/usr/bin/kwin_wayland');
    const output = await machine.run(
      `${grantRootSetting}=/home/kde ${program} install --server ${service.testClient.baseUrl} --token ${await createEnrolToken(owner)}`,
    );
    assert.match(output, /The agent is installed/);
    assert.match(output, /\/desktop-helper: the program that shows KDE desktops\n/);
    const entry = await machine.run('cat /home/kde/usr/local/share/applications/*.desktop');
    assert.match(entry, /^Exec=\/home\/kde\/usr\/local\/lib\/drawbridge\/desktop-helper$/m);
    const { id, installed } = await isAlone(owner, true);
    assert.deepEqual(
      [installed, await show('ActiveState'), await show('UnitFileState')],
      [true, 'active', 'enabled'],
    );
    const status = JSON.parse(await machine.run('/usr/local/bin/drawbridge-agent status --json')) as object;
    assert.partialDeepStrictEqual(status, { installed: true, running: true });

    await machine.run('mkdir /home/ann && chown 1234:2345 /home/ann');
    await using operator = await openLiveSession(service, owner, id);
    await uploadToDevice(operator, '/home/ann/brought', Buffer.from('brought'));
    await type(operator, 'touch ~/made; grep NoNewPrivs /proc/self/status > ~/privileges');
    operator.leave();
    assert.deepEqual(
      [
        await machine.run("stat -c '%u %g %a' /home/ann/brought"),
        await machine.run('ls /root/made'),
        await machine.run('cat /root/privileges'),
      ],
      ['1234 2345 644\n', '/root/made\n', 'NoNewPrivs:\t0\n'],
    );

    await machine.run(`systemctl kill -s KILL ${unit}`);
    await isAlone(owner, false);
    await isAlone(owner, true);
    assert.equal(await show('NRestarts'), '1', 'systemd started it again');

    await machine.turnOff();
    await isAlone(owner, false);
    await machine.turnOn();
    await isAlone(owner, true);

    await machine.run(`${grantRootSetting}=/home/kde /usr/local/bin/drawbridge-agent uninstall`);
    await isAlone(owner, false);
    assert.equal(await show('LoadState'), 'not-found');
    const left = await machine.run(
      'find /etc/systemd /usr/local/bin /usr/local/lib /var/lib /home/kde/usr/local ! -type d',
    );
    assert.equal(left, '');
    assert.doesNotMatch(await machine.run('ls /var/lib /usr/local/lib'), /drawbridge/);
  },
);
