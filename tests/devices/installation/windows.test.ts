/** The agent for Windows as it is shipped, built on this machine and run under Wine. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentVersion } from '@drawbridge/agent/version';
import { createReleaseFolder } from '../../kit/agent/release.ts';
import { buildWindowsFile } from '../../kit/agent/single-file.ts';
import { buildsWith, untilUpdate } from '../../kit/agent/versions.ts';
import { filesOn, openWine, registryOf, type WineSystem } from '../../kit/agent/wine.ts';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { createEnrolToken, onlyDevice } from '../../kit/server/enrolment.ts';
import { openConnectProxy } from '../../kit/server/connect-proxy.ts';
import { startService } from '../../kit/server/service.ts';

const skip = skipWithout('Wine');

const programFolder = 'Program Files/Drawbridge Agent';
const stateFolder = 'ProgramData/Drawbridge Agent';
const entry = 'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\DrawbridgeAgent';
const serviceKey = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\DrawbridgeAgent';

/** Resolves when the system has no folder of the agent; Windows removes files that were in use a moment later. */
const leavesNothing = ({ driveC }: WineSystem) =>
  eventually(
    () => [
      ...[programFolder, stateFolder].filter((folder) => existsSync(join(driveC, folder))),
      ...readdirSync(join(driveC, 'users/root/AppData/Local/Temp')).filter((name) =>
        name.startsWith('drawbridge'),
      ),
    ],
    (left) => left.length === 0,
  );

/** The failed update takes half a minute. */
const withRollback = process.env['DRAWBRIDGE_TEST_ROLLBACK'] === '1';

test(
  'under Wine the service starts with the system and updates itself; uninstalling leaves nothing',
  { skip },
  async () => {
    const release = createReleaseFolder('windows');
    // Its service waits twenty seconds for a version to connect.
    const shortTrial = { 'trialSeconds=300': 'trialSeconds= 20' };
    const builds = buildsWith(release.key.publicKey, { shortTrial, built: buildWindowsFile });
    await using cleanup = new AsyncDisposableStack();
    cleanup.use(release);
    const env = { DRAWBRIDGE_DOWNLOADS: release.folder };
    const service = cleanup.use(await startService({ realTime: true, env }));
    const windows = cleanup.use(openWine());
    const { owner } = await service.account();
    const program = join(release.folder, 'first.exe');
    writeFileSync(program, await builds.first());
    const server = ['--server', service.testClient.baseUrl, '--token', await createEnrolToken(owner)];

    const proxy = cleanup.use(await openConnectProxy());
    // Creates the system, which two programs at once cannot.
    await windows.run('cmd', ['/c', 'exit']);
    windows.turnOn();
    const before = new Set(filesOn(windows));
    const output = await windows.run(program, ['install', ...server], {
      HTTPS_PROXY: `http://ann:secret@127.0.0.1:${proxy.port}`,
    });
    assert.match(output, /The agent is installed/);
    const { installed } = await onlyDevice(owner, true);
    assert.deepEqual(proxy.asked[0], {
      target: new URL(service.testClient.baseUrl).host,
      credentials: `Basic ${btoa('ann:secret')}`,
    });
    const [status] = /^\{.*\}/m.exec(await windows.run(program, ['status', '--json'])) ?? [];
    const listed = await windows.run('reg', ['query', entry, '/v', 'UninstallString']);
    assert.equal(installed, true);
    assert.partialDeepStrictEqual(JSON.parse(status!), { installed: true, running: true });
    assert.match(listed, /Program Files.Drawbridge Agent.drawbridge-agent\.exe" uninstall/);

    windows.kill('service-agent');
    await onlyDevice(owner, false);
    await onlyDevice(owner, true);

    await owner.call('agents/updates/settings/update', { enabled: true, canary: 1 });
    release.offer('0.8.0', {}, await builds.newer());
    await untilUpdate(owner, ({ version, state }) => version === '0.8.0' && state === 'current');
    assert.match(await windows.run('reg', ['query', entry, '/v', 'DisplayVersion']), /0\.8\.0/);
    if (withRollback) {
      release.offer('0.9.0', {}, await builds.failing());
      const returned = await untilUpdate(owner, ({ state }) => state === 'failed');
      assert.deepEqual([returned?.version, returned?.target], ['0.8.0', '0.9.0']);
      assert.match(returned!.message, /did not connect within five minutes/);
    }

    windows.turnOff();
    await onlyDevice(owner, false);
    // Nothing can be written into the log, as on a full disk.
    const log = join(windows.driveC, stateFolder, 'service.log');
    rmSync(log);
    mkdirSync(log);
    windows.turnOn();
    assert.equal((await onlyDevice(owner, true)).version, '0.8.0');
    windows.kill('service-agent');
    await onlyDevice(owner, false);
    await onlyDevice(owner, true);
    rmdirSync(log);

    await owner.call('agents/updates/settings/update', { enabled: false });
    await windows.run(program, ['install']);
    await untilUpdate(owner, ({ version }) => version === agentVersion);

    await windows.run(`C:/${programFolder}/drawbridge-agent.exe`, ['uninstall']);
    await onlyDevice(owner, false);
    await leavesNothing(windows);
    await eventually(
      () => filesOn(windows).filter((path) => !before.has(path)),
      (left) => left.length === 0,
    );
    for (const key of [entry, serviceKey]) await assert.rejects(windows.run('reg', ['query', key]), key);
    assert.doesNotMatch(registryOf(windows), /drawbridge agent|drawbridgeagent/i);
  },
);

test(
  'under Wine the file joins an invitation without installation, and leaves nothing',
  { skip },
  async () => {
    const program = await buildWindowsFile();
    await using service = await startService({ realTime: true });
    await using windows = openWine();
    const { owner } = await service.account();
    const invitation = (await owner.call('support/create', { client_name: 'Anna' })).body['data'];
    const connection_id = invitation.id;
    const { fingerprint256 } = new X509Certificate(service.testClient.ca);
    const server = [
      '--server',
      service.testClient.baseUrl,
      '--fingerprint',
      fingerprint256.replaceAll(':', ''),
    ];

    windows.turnOn();
    const joined = windows.start(program, ['join', invitation.invite_code, ...server]);
    await joined.until(/Invited by owner-\S+\. Waiting/);
    const info = (await owner.call('support/info', { connection_id })).body['data'];
    await owner.call('support/close', { connection_id });
    await joined.gone;

    assert.equal(info.client_os, 'win');
    await leavesNothing(windows);
  },
);
