/** The agent for Windows in the foreground under Wine: what the server learns of the device, and who can read its state. */
import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentVersion } from '@drawbridge/agent/version';
import { buildWindowsFile } from '../../kit/agent/single-file.ts';
import { openWine } from '../../kit/agent/wine.ts';
import { eventually } from '../../kit/eventually.ts';
import { startDisplay } from '../../kit/display/display.ts';
import { readPng } from '../../kit/display/png-reader.ts';
import { skipWithout } from '../../kit/requirements.ts';
import type { TestPerson } from '../../kit/server/account.ts';
import { createEnrolToken, listDevices, onlyDevice } from '../../kit/server/enrolment.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

const skip = skipWithout('Wine') || skipWithout('Xvfb');
/** A user who is not the one that runs Wine. */
const nobody = 65_534;

const remoteDesktop = [
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Terminal Server',
  '/v',
  'fDenyTSConnections',
];
const exampleProgram = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Example';

/** What the server says about the device: its facts and hardware, its programs, and the picture of its screen. */
async function reportOf({ testClient }: TestService, owner: TestPerson) {
  const [device] = await listDevices(owner);
  // The hardware is sent some seconds after the facts.
  const info = await eventually(
    async () => (await owner.call('agents/info', { agent_id: device!.id })).body['data'],
    ({ hardware }) => hardware.ComputerName !== '',
  );
  const programs = (await owner.call('agents/software', { agent_id: device!.id })).body['data'];
  const preview = await testClient.send({ path: new URL(info.preview_url).pathname });
  return { info, programs, preview };
}

test(
  'under Wine the agent is online as a Windows device, and the server has what it reports',
  { skip },
  async () => {
    const program = await buildWindowsFile();
    await using service = await startService({ realTime: true });
    await using display = await startDisplay(1_024, 768);
    await using windows = openWine();
    const { owner } = await service.account();
    const server = ['--server', service.testClient.baseUrl, '--token', await createEnrolToken(owner)];
    await windows.run('reg', ['add', ...remoteDesktop, '/t', 'REG_DWORD', '/d', '0', '/f']);
    await windows.run('reg', ['add', exampleProgram, '/v', 'DisplayName', '/d', 'Example program', '/f']);

    windows.start(program, ['run', ...server], { DISPLAY: display.name });
    await onlyDevice(owner, true);
    const { info, programs, preview } = await reportOf(service, owner);

    const { hardware, ...facts } = info;
    assert.partialDeepStrictEqual(facts, {
      os: 'win',
      version: agentVersion,
      installed: false,
      os_user: 'root',
      rdp: true,
      hibernate: true,
      power_supply: true,
    });
    assert.equal(hardware.ComputerName, facts.name);
    assert.deepEqual(
      hardware.Monitors.map((each: { ScreenWidth: number; ScreenHeight: number }) => [
        each.ScreenWidth,
        each.ScreenHeight,
      ]),
      [[1_024, 768]],
    );
    assert.ok(hardware.CPUCores > 0 && hardware.RAMPhys > 0);
    assert.ok(programs.some(({ name }: { name: string }) => name === 'Example program'));
    const { width, height } = readPng(preview.bytes);
    assert.deepEqual([preview.headers['content-type'], (width * 3) / 4], ['image/png', height]);
  },
);

test(
  'under Wine the agent keeps its state where others cannot read it, and remembers its server',
  { skip },
  async () => {
    const program = await buildWindowsFile();
    await using service = await startService({ realTime: true });
    await using windows = openWine();
    const { owner } = await service.account();
    const server = ['--server', service.testClient.baseUrl, '--token', await createEnrolToken(owner)];
    await windows.run('cmd', ['/c', 'exit']);
    const folder = join(windows.driveC, 'ProgramData/Drawbridge Agent');
    const planted = join(folder, 'update.json');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    writeFileSync(planted, '{}');
    chownSync(planted, nobody, nobody);

    await assert.rejects(windows.run(program, ['run', ...server]), /update\.json belongs to another user/);
    assert.deepEqual(readdirSync(folder), ['update.json']);
    rmSync(planted);
    const first = windows.start(program, ['run', ...server]);
    await onlyDevice(owner, true);
    await first.end('SIGTERM');
    await onlyDevice(owner, false);
    assert.equal(statSync(folder).mode & 0o007, 0);
    windows.start(program, ['run']);
    await onlyDevice(owner, true);
  },
);
