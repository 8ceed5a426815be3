/** The agent as a service of a live systemd updates itself, and returns to the previous version if the new one fails. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentVersion } from '@drawbridge/agent/version';
import { createEnrolToken } from '../../kit/server/enrolment.ts';
import { createReleaseFolder } from '../../kit/agent/release.ts';
import { openSystemd } from '../../kit/agent/systemd.ts';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { startService } from '../../kit/server/service.ts';
import { openLiveSession } from '../../kit/session/open-live-session.ts';
import { askUntilUpdate, buildsWith, untilUpdate } from '../../kit/agent/versions.ts';

const skip = skipWithout('systemd in a container');

test(
  'a service updates itself when nobody is connected, and returns to the previous version if the new one does not connect',
  { skip },
  async () => {
    await using cleanup = new AsyncDisposableStack();
    const release = cleanup.use(createReleaseFolder());
    // Its start script waits half a minute for a version to connect.
    const builds = buildsWith(release.key.publicKey, { shortTrial: { 'seconds=300': 'seconds=030' } });
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
    const installed = await untilUpdate(owner, ({ version }) => version === agentVersion);
    await owner.call('agents/updates/settings/update', { enabled: true, canary: 1 });

    const operator = cleanup.use(await openLiveSession(service, owner, installed!.id));
    release.offer('0.8.0', {}, await builds.newer());
    const refused = await untilUpdate(owner, ({ state }) => state === 'refused');
    operator.leave();
    const updated = await askUntilUpdate(
      owner,
      ({ version, target }) => version === '0.8.0' && target === '0.8.0',
    );
    const running = await machine.run('/usr/local/bin/drawbridge-agent --version');
    release.offer('0.9.0', {}, await builds.failing());
    const returned = await untilUpdate(owner, ({ state }) => state === 'failed');
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
