/** The programs of a device with `--ca`, `DRAWBRIDGE_CA` and `--fingerprint`: whom they connect to, and what they remember. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { formatEnrolmentToken, parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { keyPinOf } from '@drawbridge/server/tls/pins';
import { startProgram, type Program } from '../../kit/process.ts';
import { makeKeyPair } from '../../kit/server/proxies.ts';
import { createEnrolToken } from '../../kit/server/enrolment.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import type { TestPerson } from '../../kit/server/account.ts';

describe('trust in a server with its own certificate', { concurrency: true }, () => {
  let service: TestService;
  let owner: TestPerson;
  let server: string;
  let certFile: string;
  const folders: string[] = [];
  before(async () => {
    service = await startService({ realTime: true });
    ({ owner } = await service.account());
    server = service.testClient.baseUrl;
    ({ certFile } = service.server.certificate);
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-trust-'));
    folders.push(folder);
    return folder;
  };

  /** A token as a server behind a proxy with a public certificate creates it. */
  async function tokenWithoutPin(): Promise<string> {
    const { secret } = parseEnrolmentToken(await createEnrolToken(owner))!;
    return formatEnrolmentToken({ secret, certificate: '' });
  }

  const start = (args: string[], env: Record<string, string> = {}, folder = newFolder()): Program =>
    startProgram('agent/src/main.ts', ['agent', ...args], {
      HOME: folder,
      TMPDIR: folder,
      DRAWBRIDGE_AGENT_DATA: join(folder, 'state'),
      DRAWBRIDGE_AGENT_HARMLESS: '1',
      ...env,
    });

  test('a device trusts an authority from --ca, and remembers it', async () => {
    const folder = newFolder();
    const args = ['run', '--server', server, '--token', await tokenWithoutPin()];

    await using refused = start(args, {}, folder);
    await refused.until(/certificate of the server is not trusted/);
    await refused.end('SIGTERM');
    await using first = start([...args, '--ca', certFile], {}, folder);
    await first.until(/connected as/);
    await first.end('SIGTERM');
    await using later = start(['run'], {}, folder);

    await later.until(/connected as/);
  });

  test('a device takes the fingerprint of the certificate or of its key, and DRAWBRIDGE_CA', async () => {
    const { fingerprint256 } = new X509Certificate(service.testClient.ca);
    const given: [string[], Record<string, string>][] = [
      [['--fingerprint', fingerprint256], {}],
      [['--fingerprint', `sha256//${keyPinOf(service.testClient.ca)}`], {}],
      [[], { DRAWBRIDGE_CA: certFile }],
    ];

    for (const [more, env] of given) {
      await using program = start(
        ['run', '--server', server, '--token', await tokenWithoutPin(), ...more],
        env,
      );
      await program.until(/connected as/);
    }
  });

  test('join takes --ca and DRAWBRIDGE_CA, and refuses a server that they do not cover', async () => {
    const other = join(newFolder(), 'other.pem');
    writeFileSync(other, (await makeKeyPair()).cert);
    const invite = async (): Promise<string[]> => {
      const { body } = await owner.call('support/create', { client_name: 'Anna' });
      return ['join', body['data'].invite_code, '--server', server];
    };

    await using byFlag = start([...(await invite()), '--ca', certFile]);
    await byFlag.until(/Invited by owner-\S+\. Waiting/);
    await using byVariable = start(await invite(), { DRAWBRIDGE_CA: certFile });
    await byVariable.until(/Waiting/);
    await using refused = start([...(await invite()), '--ca', other]);

    await refused.until(/certificate of the server is not trusted/);
  });

  test('simulated devices take --ca too', async () => {
    const token = await tokenWithoutPin();
    const args = ['simulate', '--server', server, '--token', token, '--agents', '1', '--processes', '1'];

    await using program = startProgram(
      'agent/src/simulate/main.ts',
      [...args, '--ramp', '0', '--ca', certFile],
      {},
    );

    await program.until(/1 online/);
  });

  test('a file or fingerprint that cannot be used is named', async () => {
    const folder = newFolder();
    const empty = join(folder, 'empty.pem');
    writeFileSync(empty, 'nothing');
    const attempts: [string[], RegExp][] = [
      [['--ca', join(folder, 'none.pem')], /The certificate file \S+none\.pem cannot be read \(ENOENT\)/],
      [['--ca', empty], /The certificate file \S+empty\.pem contains no certificate in PEM/],
      [['--fingerprint', 'AB:CD'], /--fingerprint must be the SHA-256/],
      [['--ca', empty, '--fingerprint', 'AB:CD'], /Give either --ca or --fingerprint, not both/],
    ];

    for (const [more, sentence] of attempts) {
      await using program = start(['join', '123456789', '--server', server, ...more]);
      assert.notEqual(await program.gone, 0);
      assert.match(program.output(), sentence);
    }
  });
});
