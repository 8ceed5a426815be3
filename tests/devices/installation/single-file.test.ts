/**
 * The agent as it is shipped: one file, no runtime beside it, on this machine, against a server in a separate
 * process.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, networkInterfaces, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { agentVersion } from '@drawbridge/agent/version';
import type { Hardware } from '@drawbridge/contract/hardware';
import type { OperationId } from '@drawbridge/contract/v1/index';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { openConnectProxy } from '../../kit/server/connect-proxy.ts';
import { openTestClient, type TestClient } from '../../kit/server/test-client.ts';
import { startService } from '../../kit/server/service.ts';
import { firstApiKey, startServerProcess, type ServerProcess } from '../../kit/process.ts';
import { eventually } from '../../kit/eventually.ts';
import { openCleanInstall, type CleanInstall, type InstalledAgent } from '../../kit/agent/single-file.ts';

/** What a test reads of a device. */
interface Listed {
  id: number;
  device_id: number;
  name: string;
  os: string;
  os_user: string;
  version: string;
  installed: boolean;
  online: boolean;
}

/** The server, called as its owner. */
interface ServerFixture extends AsyncDisposable {
  server: ServerProcess;
  call(operation: OperationId, input?: object): Promise<Record<string, unknown>>;
  devices(): Promise<Listed[]>;
  newToken(): Promise<string>;
  /** Kills the server, and starts it again on the same port and data. */
  replaceServer(): Promise<void>;
}

async function openServerFixture(): Promise<ServerFixture> {
  let server = await startServerProcess();
  const port = Number(new URL(server.url).port);
  const [key, certFile] = [firstApiKey(server), join(server.folder, 'tls/cert.pem')];
  const open = (): TestClient =>
    openTestClient({ config: { listen: { port } }, certificate: { certFile } } as never);
  let testClient = open();
  const call: ServerFixture['call'] = async (operation, input = {}) =>
    (await testClient.sdkClient(key).request(operation, input)).body as Record<string, unknown>;
  return {
    get server() {
      return server;
    },
    call,
    devices: async () => (await call('agents/list'))['data'] as Listed[],
    newToken: async () => (await call('agents/enroll/create'))['token'] as string,
    async replaceServer() {
      testClient.close();
      await server.end('SIGKILL');
      server = await startServerProcess({}, { folder: server.folder, port });
      testClient = open();
    },
    async [Symbol.asyncDispose]() {
      testClient.close();
      await server.end('SIGKILL');
      rmSync(server.folder, { recursive: true, force: true });
    },
  };
}

/** This device as the service lists it; undefined before it has enrolled. */
const shown = async ({ devices }: ServerFixture, machine: InstalledAgent): Promise<Listed | undefined> => {
  const own = machine.state()?.deviceId;
  return (await devices()).find((each) => each.device_id === own);
};

const isOnline = (device: Listed | undefined): boolean => device?.online === true;

describe('the agent as a single file', { skip: process.platform !== 'linux' && 'only for Linux' }, () => {
  let install: CleanInstall;
  let fixture: ServerFixture;
  before(async () => {
    [install, fixture] = [await openCleanInstall(), await openServerFixture()];
  });
  after(async () => {
    await fixture[Symbol.asyncDispose]();
    install[Symbol.dispose]();
  });
  const enrol = async (machine: InstalledAgent, at = fixture, env = {}) =>
    machine.run(['run', '--server', at.server.url, '--token', await at.newToken()], env);

  test('it prints its version, and its commands work with or without the word agent', async () => {
    const device = install.device();
    const [bare, named] = [device.run(['--version']), device.run(['agent', '--version'])];
    const help = device.run(['agent', 'run', '--help']);

    assert.equal((await bare.until(/\n/)).input, `${agentVersion}\n`);
    assert.equal((await named.until(/\n/)).input, `${agentVersion}\n`);
    assert.match((await help.until(/uninstall/)).input, /^drawbridge-agent run --server/);
  });

  test("Node's environment variables neither load code, nor stop it, nor make it write files", async () => {
    const folder = mkdtempSync(join(install.folder, 'environment-'));
    const [trace, script, library] = ['trace', 'script.cjs', 'library.so'].map((name) => join(folder, name));
    const config = join(folder, 'openssl.cnf');
    writeFileSync(script!, `require('node:fs').writeFileSync(${JSON.stringify(trace)}, '')`);
    // No such library exists: a runtime that obeys tries to load it, and reports it or fails.
    writeFileSync(library!, '');
    const module = `[evil]\nmodule = ${library}\nactivate = 1\n`;
    writeFileSync(
      config,
      `nodejs_conf = a\nopenssl_conf = a\n[a]\nproviders = p\n[p]\nevil = evil\n${module}`,
    );
    const settings = {
      NODE_OPTIONS: `--require=${script}`,
      NODE_REPL_EXTERNAL_MODULE: script!,
      NODE_CHANNEL_FD: 'none',
      NODE_COMPILE_CACHE: trace!,
      NODE_DEBUG: 'module',
      NODE_ICU_DATA: folder,
      NODE_REDIRECT_WARNINGS: trace!,
      NODE_V8_COVERAGE: trace!,
      OPENSSL_CONF: config,
      OPENSSL_CONF_INCLUDE: folder,
      OPENSSL_ENGINES: folder,
      OPENSSL_MODULES: folder,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    };

    for (const [name, value] of Object.entries(settings)) {
      const program = install.device().run(['--version'], { [name]: value });
      assert.equal(await program.gone, 0, `${name}: ${program.output()}`);
      assert.equal(program.output(), `${agentVersion}\n`, name);
      assert.ok(!existsSync(trace!), name);
    }
  });

  test('within five seconds it is online, with the facts of its system', async () => {
    const machine = install.device();
    await using _agent = await enrol(machine);

    const device = (await eventually(() => shown(fixture, machine), isOnline, 5_000))!;

    assert.deepEqual(
      [device.name, device.os, device.os_user, device.version, device.installed],
      [hostname(), 'linux', userAtWork(), agentVersion, false],
    );
    const { hardware } = await eventually(
      async () =>
        (await fixture.call('agents/info', { agent_id: device.id }))['data'] as { hardware: Hardware },
      (info) => info.hardware.ComputerName !== '',
    );
    assert.deepEqual(
      [hardware.ComputerName, hardware.OSName, hardware.CPUCoresLogical, hardware.RAMPhys],
      [hostname(), osName(), processors(), memoryMegabytes()],
    );
    assert.deepEqual(new Set(hardware.ComputerIP), new Set(ownAddresses()));
    assert.equal(hardware.CPUSpeed > 0, /^cpu MHz/m.test(readFileSync('/proc/cpuinfo', 'utf8')));
    assert.doesNotMatch(JSON.stringify(hardware), /"(unknown|undefined|null|NaN)"|:null|:-\d/i);
    assert.equal(statSync(machine.stateFile).mode & 0o777, 0o600);
  });

  describe('whatever happens to it', { concurrency: true }, () => {
    test('killed and restarted by a service manager, it is the same device', async () => {
      const machine = install.device();
      const first = await enrol(machine);
      const device = (await eventually(() => shown(fixture, machine), isOnline))!;

      await first.end('SIGKILL');
      await eventually(
        () => shown(fixture, machine),
        (now) => !isOnline(now),
      );
      await using _second = machine.run(['run']);
      const again = (await eventually(() => shown(fixture, machine), isOnline))!;

      assert.deepEqual([again.id, again.device_id], [device.id, device.device_id]);
    });

    test('when the server is killed and restarted, it reconnects as the same device', async () => {
      await using own = await openServerFixture();
      const machine = install.device();
      await using agent = await enrol(machine, own);
      const device = (await eventually(() => shown(own, machine), isOnline))!;

      await own.replaceServer();
      await eventually(agent.output, (text) => text.includes('retrying in'));
      const again = (await eventually(() => shown(own, machine), isOnline))!;

      assert.equal((await own.devices()).length, 1);
      assert.deepEqual([again.id, again.device_id], [device.id, device.device_id]);
      assert.equal(agent.output().match(/connected as device/g)?.length, 2);
    });

    test('through a proxy it sends nothing that the proxy can read', async () => {
      await using proxy = await openConnectProxy();
      const [machine, token] = [install.device(), await fixture.newToken()];
      await using _agent = machine.run(['run', '--server', fixture.server.url, '--token', token], {
        HTTPS_PROXY: `http://ann:p%40ss@127.0.0.1:${proxy.port}`,
      });

      await eventually(() => shown(fixture, machine), isOnline);

      assert.deepEqual(proxy.asked, [
        { target: new URL(fixture.server.url).host, credentials: `Basic ${btoa('ann:p@ss')}` },
      ]);
      const bytes = proxy.received().toString('latin1');
      assert.equal(bytes.charCodeAt(0), 0x16); // a TLS handshake
      const secrets = ['hello', token.slice(5, 48), machine.state()!.publicKey, hostname(), 'GET /'];
      // Encrypted bytes are random: a short host name occurs in them by chance.
      for (const secret of secrets.filter(({ length }) => length >= 5))
        assert.ok(!bytes.includes(secret), secret);
    });

    test('a certificate of an authority that the machine trusts is accepted, and no other is', async () => {
      const { cert, key } = await createSelfSigned(['localhost'], new Date());
      const [certFile, keyFile] = ['authority.pem', 'key.pem'].map((name) => join(install.folder, name));
      writeFileSync(certFile!, cert);
      writeFileSync(keyFile!, key);
      const env = { DRAWBRIDGE_TLS_CERT: certFile!, DRAWBRIDGE_TLS_KEY: keyFile! };
      await using service = await startService({ env, realTime: true });
      const { owner } = await service.account();
      const { token } = (await owner.call('agents/enroll/create')).body as { token: string };
      const args = ['run', '--server', service.testClient.baseUrl, '--token', token];

      await using outsider = install.device().run(args);
      await eventually(outsider.output, (text) =>
        text.includes('the certificate of the server is not trusted'),
      );
      await using friend = install.device().run(args, { SSL_CERT_FILE: certFile! });
      await eventually(friend.output, (text) => text.includes('connected as device'));

      assert.ok(token.endsWith('.'), 'the token names no certificate');
    });

    test('idle, it takes less than 60 MB', async () => {
      const machine = install.device();
      await using agent = await enrol(machine);
      await eventually(() => shown(fixture, machine), isOnline);

      await eventually(
        () => memoryOf(agent.pid),
        (megabytes) => megabytes < 60,
      );
    });
  });
});

/** The first user that `who` lists; else the user of the process. */
function userAtWork(): string {
  const who = execFileSync('who', { encoding: 'utf8' });
  return who.split(/\s/)[0] || userInfo().username;
}

const osName = (): string =>
  /^NAME="?([^"\n]*)"?$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'unknown';

const processors = (): number => readFileSync('/proc/cpuinfo', 'utf8').match(/^processor\s*:/gm)?.length ?? 0;

const memoryMegabytes = (): number =>
  Math.round(Number(/^MemTotal: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) / 1_024);

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter((each) => !each.internal)
    .map((each) => each.address);

const memoryOf = (pid: number): number =>
  Math.round(
    Number(/^Rss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1_024,
  );
