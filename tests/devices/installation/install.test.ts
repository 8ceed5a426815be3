/** Installing from the server with its one command, up to the removal; systemd itself is faked. */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openSandbox } from '../../kit/agent/sandbox.ts';
import { eventually } from '../../kit/eventually.ts';
import { buildSingleFile } from '../../kit/agent/single-file.ts';
import type { TestPerson } from '../../kit/server/account.ts';

const skip = skipWithout('Linux namespaces') || skipWithout('curl');
const program = '/usr/local/lib/drawbridge/drawbridge-agent';

describe('installing the agent', { skip }, () => {
  let service: TestService;
  before(async () => {
    const downloads = dirname(await buildSingleFile());
    service = await startService({ env: { DRAWBRIDGE_DOWNLOADS: downloads }, realTime: true });
  });
  after(() => service[Symbol.asyncDispose]());

  /** The command of the page, as a person would paste it. */
  async function installLine(owner: TestPerson): Promise<string> {
    const { text } = await service.testClient.send({ path: '/download/' });
    const { token } = (await owner.call('agents/enroll/create')).body as { token: string };
    return /<pre><code>(.*)<\/code><\/pre>/.exec(text)![1]!.replace('TOKEN', token);
  }

  test('one command installs it; it is online, reports its status, and uninstalls without a trace', async () => {
    const { owner } = await service.account();
    const devices = async () => (await owner.call('agents/list')).body['data'] as Record<string, unknown>[];
    await using sandbox = await openSandbox();

    const { stdout } = await sandbox.run(await installLine(owner));
    assert.match(stdout, /The agent is installed and connects to https:\/\/localhost/);
    assert.match(
      stdout,
      /^(?:Nobody is signed in to a desktop |X11 display :)(?:.*\n)+To see this again, run: drawbridge-agent doctor$/m,
    );
    const placed = [...stdout.matchAll(/^  (\/\S+): /gm)].map(([, path]) => path!);
    assert.deepEqual(placed, [
      dirname(program),
      '/usr/local/bin/drawbridge-agent',
      '/etc/systemd/system/drawbridge-agent.service',
      '/var/lib/drawbridge-agent',
    ]);
    await sandbox.run(`ls ${placed.join(' ')}`);
    const [device] = await eventually(devices, (list) => list[0]?.['online'] === true);
    assert.equal(device!['installed'], true);
    assert.deepEqual(sandbox.asked(), [
      'daemon-reload',
      'enable drawbridge-agent.service',
      'restart drawbridge-agent.service',
    ]);
    const { stdout: modes } = await sandbox.run(`stat -Lc '%a %U' ${program} ${dirname(program)}/start`);
    assert.equal(modes, '755 root\n755 root\n');

    const status = JSON.parse((await sandbox.run('/usr/local/bin/drawbridge-agent status --json')).stdout);
    assert.deepEqual(
      [status.installed, status.running, status.device_id],
      [true, true, device!['device_id']],
    );

    // What the portals of two people gave the agent.
    await sandbox.run('cd /var/lib/drawbridge-agent && touch desktop-token-1000 desktop-token-1001');
    await sandbox.run('/usr/local/bin/drawbridge-agent uninstall');
    await eventually(devices, (list) => list[0]?.['online'] === false);
    const left = await sandbox.run('find /etc/systemd /usr/local/bin /usr/local/lib /var/lib ! -type d');
    assert.equal(left.stdout, '');
  });

  test('running it again without a token updates the agent and keeps the device', async () => {
    const { owner } = await service.account();
    const devices = async () => (await owner.call('agents/list')).body['data'] as Record<string, unknown>[];
    await using sandbox = await openSandbox();
    const line = await installLine(owner);
    await sandbox.run(line);
    const [device] = await eventually(devices, (list) => list[0]?.['online'] === true);

    await sandbox.run(line.replace(/dbe1_\S+/, ''));
    await eventually(
      () => sandbox.log().match(/connected as device/g)?.length,
      (times) => times === 2,
    );

    const [again, ...others] = await devices();
    assert.deepEqual([again!['device_id'], others], [device!['device_id'], []]);
  });

  test('a file with a wrong checksum is neither run nor kept', async () => {
    const { owner } = await service.account();
    await using sandbox = await openSandbox();
    const line = (await installLine(owner)).replace('| sudo', "| sed 's/sha256=[0-9a-f]*/sha256=0/' | sudo");

    await assert.rejects(sandbox.run(line), /checksum of the downloaded file is wrong/);
    await assert.rejects(sandbox.run(`ls ${program}*`));
    assert.deepEqual(sandbox.asked(), []);
  });

  test('without a token a device that never enrolled is told what is missing', async () => {
    const { owner } = await service.account();
    await using sandbox = await openSandbox();
    const line = (await installLine(owner)).replace(/dbe1_\S+/, '');

    await assert.rejects(sandbox.run(line), /--server and --token are needed/);
  });

  test('the service keeps the proxy settings of the person who installed it', async () => {
    const { owner } = await service.account();
    await using sandbox = await openSandbox({ HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: 'localhost' });

    await sandbox.run(await installLine(owner));
    const { stdout } = await sandbox.run(
      'cd /var/lib/drawbridge-agent && stat -c %a environment && cat environment',
    );

    assert.equal(stdout, '600\nHTTPS_PROXY="http://127.0.0.1:9"\nNO_PROXY="localhost"\n');
    await eventually(
      () => sandbox.log(),
      (log) => log.includes('connected as device'),
    );
  });
});
