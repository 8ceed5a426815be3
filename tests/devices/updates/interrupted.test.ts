/** Updates that are killed, and new versions that do not work: the device always starts a version that does. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { installRelease } from '@drawbridge/agent/update/install-release';
import { beginTrial, settleTrial } from '@drawbridge/agent/update/slots';
import { startScript, startScriptName } from '@drawbridge/agent/update/start-script';
import {
  createReleaseFolder,
  installTestProgram,
  programOf,
  installSteps,
  releaseTime,
  type InstalledProgram,
} from '../../kit/agent/release.ts';
import { startProgram } from '../../kit/process.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

describe('an update', () => {
  const release = createReleaseFolder();
  let service: TestService;
  before(async () => {
    service = await startService({ env: { DRAWBRIDGE_DOWNLOADS: release.folder } });
    release.offer('1.1.0');
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    release[Symbol.dispose]();
  });

  const optionsOf = (device: InstalledProgram) => ({
    ...device.options,
    server: { url: service.testClient.baseUrl },
  });

  for (const step of installSteps)
    test(`that is killed after the step "${step}" leaves a program that starts, and succeeds the next time`, async () => {
      using device = installTestProgram(release.key.publicKey);
      const options = JSON.stringify(optionsOf(device));
      await using killed = startProgram('tests/devices/updates/install-program.ts', [step, options], {});
      await killed.gone;

      const started = device.start('--version');
      const found = settleTrial(device.folder).state;
      if (found !== 'running') await installRelease({ ...optionsOf(device), now: () => releaseTime });

      assert.equal(killed.output(), '');
      assert.deepEqual([started, found], step === 'switched' ? ['1.1.0', 'running'] : ['1.0.0', 'none']);
      assert.equal(device.start('--version'), '1.1.0');
    });

  test('to a version that ends before it connects is undone at the fourth start', async () => {
    using device = installTestProgram(release.key.publicKey);
    await installRelease({ ...optionsOf(device), now: () => releaseTime });

    const started = [1, 2, 3, 4, 5].map(() => device.start('--version'));

    assert.deepEqual(started, ['1.1.0', '1.1.0', '1.1.0', '1.0.0', '1.0.0']);
    assert.deepEqual(settleTrial(device.folder), { state: 'failed', previous: 'a', version: '1.1.0' });
    assert.deepEqual(settleTrial(device.folder), { state: 'none' });
  });

  test('to a version that hangs is undone when its time has passed', async () => {
    using device = installTestProgram(release.key.publicKey);
    release.offer('1.1.0', {}, programOf('1.1.0', 'while :; do :; done'));
    await installRelease({ ...optionsOf(device), now: () => releaseTime });
    const file = join(device.folder, startScriptName);
    writeFileSync(file, startScript.replace('seconds=300', 'seconds=1'));

    const hanging = spawn('sh', [file, 'run'], { timeout: 60_000 });
    const [, signal] = await once(hanging, 'exit');

    assert.equal(signal, 'SIGKILL');
    assert.equal(device.start('--version'), '1.0.0');
    assert.deepEqual(settleTrial(device.folder), { state: 'failed', previous: 'a', version: '1.1.0' });
  });

  test('to a version that has connected is not undone, however long it runs', async () => {
    using device = installTestProgram(release.key.publicKey);
    // Ends its trial, as an agent does when it has connected, and runs for longer than a trial may take.
    release.offer('1.1.0', {}, programOf('1.1.0', `rm "$2/trial"; sleep 3`));
    await installRelease({ ...optionsOf(device), now: () => releaseTime });
    const file = join(device.folder, startScriptName);
    writeFileSync(file, startScript.replace('seconds=300', 'seconds=1'));

    const running = spawn('sh', [file, 'run', device.folder]);
    const [code] = await once(running, 'exit');

    assert.equal(code, 0);
    assert.equal(device.start('--version'), '1.1.0');
  });

  test('is not undone if the previous version is gone', () => {
    using device = installTestProgram(release.key.publicKey);
    beginTrial(device.folder, { previous: 'b', version: '1.1.0' });

    const started = [1, 2, 3, 4, 5].map(() => device.start('--version'));

    assert.deepEqual(new Set(started), new Set(['1.0.0']));
  });
});
