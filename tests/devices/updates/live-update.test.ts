/** The agent as a service of a live systemd updates itself, and returns to the previous version if the new one fails. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentVersion } from '@drawbridge/agent/version';
import { loadOrCreateReleaseKey } from '../../../scripts/release/release-key.ts';
import type { TestPerson } from '../../kit/server/account.ts';
import { createEnrolToken } from '../../kit/server/enrolment.ts';
import { createReleaseFolder } from '../../kit/agent/release.ts';
import { alterSingleFile } from '../../kit/agent/single-file.ts';
import { openSystemd } from '../../kit/agent/systemd.ts';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { startService } from '../../kit/server/service.ts';
import { openLiveSession } from '../../kit/session/open-live-session.ts';

const skip = skipWithout('systemd in a container');

/** Builds with a release key of the test: a newer version, and a newer one that does not find the server. */
function buildsWith(key: string) {
  const { publicKey: builtKey } = loadOrCreateReleaseKey();
  const versionOf = (version: string) => ({
    [builtKey]: key,
    [`agentVersion="${agentVersion}"`]: `agentVersion="${version}"`,
  });
  return {
    // Its start script waits half a minute for a version to connect.
    first: () => alterSingleFile({ ...versionOf(agentVersion), 'seconds=300': 'seconds=030' }),
    newer: () => alterSingleFile(versionOf('0.8.0')),
    failing: () => alterSingleFile({ ...versionOf('0.9.0'), '"/uplink"': '"/uplonk"' }),
  };
}

interface Listed {
  id: number;
  online: boolean;
  version: string;
  state: string;
  target: string;
  message: string;
}

const deviceIn = async (owner: TestPerson): Promise<Listed | undefined> =>
  (await owner.call('agents/updates/devices', {})).body['data'][0] as Listed | undefined;

const until = (owner: TestPerson, fits: (device: Listed) => boolean): Promise<Listed | undefined> =>
  eventually(
    () => deviceIn(owner),
    (device) => device !== undefined && device.online && fits(device),
    300_000,
  );

/** Asks the device again whenever it has refused: it may take a moment until the operator is gone. */
const askUntil = (owner: TestPerson, fits: (device: Listed) => boolean): Promise<Listed | undefined> =>
  until(owner, (device) => {
    if (device.state === 'refused') void owner.call('agents/updates/resume', {});
    return fits(device);
  });

test(
  'a service updates itself when nobody is connected, and returns to the previous version if the new one does not connect',
  { skip },
  async () => {
    await using cleanup = new AsyncDisposableStack();
    const release = cleanup.use(createReleaseFolder());
    const builds = buildsWith(release.key.publicKey);
    const service = cleanup.use(
      await startService({ realTime: true, env: { DRAWBRIDGE_DOWNLOADS: release.folder } }),
    );
    const { owner } = await service.account();
    const machine = cleanup.use(await openSystemd());
    const program = join(release.folder, 'drawbridge-agent');
    writeFileSync(program, await builds.first());
    chmodSync(program, 0o755);
    const line = `${program} install --server ${service.testClient.baseUrl} --token ${await createEnrolToken(owner)}`;
    await machine.run(line);
    const installed = await until(owner, ({ version }) => version === agentVersion);
    await owner.call('agents/updates/settings/update', { enabled: true, canary: 1 });

    const operator = cleanup.use(await openLiveSession(service, owner, installed!.id));
    release.offer('0.8.0', {}, await builds.newer());
    const refused = await until(owner, ({ state }) => state === 'refused');
    operator.leave();
    const updated = await askUntil(owner, ({ version, target }) => version === '0.8.0' && target === '0.8.0');
    const running = await machine.run('/usr/local/bin/drawbridge-agent --version');
    release.offer('0.9.0', {}, await builds.failing());
    const returned = await until(owner, ({ state }) => state === 'failed');
    const { body: status } = await eventually(
      () => owner.call('agents/updates/status', {}),
      ({ body }) => body['data'].paused !== '',
    );
    await machine.run('/usr/local/bin/drawbridge-agent uninstall');

    assert.deepEqual(
      [refused?.version, refused?.message],
      [agentVersion, 'An operator is connected to the device.'],
    );
    assert.deepEqual([updated?.state, running], ['current', '0.8.0\n']);
    assert.deepEqual([returned?.version, returned?.target], ['0.8.0', '0.9.0']);
    assert.match(returned!.message, /did not connect within five minutes/);
    assert.equal(status['data'].paused, 'failures');
    const left = await machine.run('find /etc/systemd /usr/local/bin /usr/local/lib /var/lib ! -type d');
    assert.equal(left, '');
    assert.doesNotMatch(await machine.run('ls /var/lib /usr/local/lib'), /drawbridge/);
  },
);
