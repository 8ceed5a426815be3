/** Which server a device accepts: its own, and no interceptor or impostor. */
import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect } from 'node:tls';
import { createDeviceKey, newNonce } from '@drawbridge/agent/uplink/keys';
import type { AgentState } from '@drawbridge/agent/state';
import type { WebSocket } from 'ws';
import type { DownMessage } from '@drawbridge/contract/uplink/messages';
import { startAgent } from '../kit/agent/agent.ts';
import { makeKeyPair, openTlsInterceptor, openImpostorServer } from '../kit/server/proxies.ts';
import { listDevices, createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { eventually } from '../kit/eventually.ts';
import type { TestPerson } from '../kit/server/account.ts';

describe('the server as devices see it', { concurrency: true }, () => {
  let service: TestService;
  let owner: TestPerson;
  before(async () => {
    service = await startService({ realTime: true });
    ({ owner } = await service.account());
  });
  after(() => service[Symbol.asyncDispose]());

  /** The state of a device that knows its server, pointed to another address. */
  async function acquainted(server: string): Promise<AgentState> {
    await using agent = startAgent({
      server: service.testClient.baseUrl,
      token: await createEnrolToken(owner),
    });
    await agent.until(/connected/);
    return { ...agent.state, server };
  }

  test('a new device sends nothing to a server with another certificate than its token names', async () => {
    await using eavesdropper = await openTlsInterceptor(service.testClient.baseUrl);
    const other = (await service.account()).owner;
    await using agent = startAgent({ server: eavesdropper.url, token: await createEnrolToken(other) });

    await agent.until(/certificate of the server is not trusted/);

    assert.deepEqual(await listDevices(other), []);
    const { body } = await other.call('agents/enroll/list');
    assert.equal(body['data'][0].uses_left, 1);
  });

  test('a device that knows its server detects an interceptor', async () => {
    await using eavesdropper = await openTlsInterceptor(service.testClient.baseUrl);
    await using agent = startAgent({
      server: service.testClient.baseUrl,
      state: await acquainted(eavesdropper.url),
    });

    await agent.until(/intercepting the connection/);

    assert.ok(eavesdropper.count() > 0);
    assert.ok(!agent.lines.some((line) => /connected as/.test(line)));
  });

  test('a device does not follow another server, even with a publicly trusted certificate', async () => {
    const pair = await makeKeyPair();
    await using other = await startService({ realTime: true });
    await using front = await openTlsInterceptor(other.testClient.baseUrl, pair);
    const state = await acquainted(front.url);
    await using agent = startAgent({ server: front.url, state, connect: { ca: pair.cert } });

    await agent.until(/a different server answers at this address/);

    assert.equal(agent.state.serverKey, state.serverKey);
  });

  test('a device accepts a proxy that terminates TLS with a publicly trusted certificate', async () => {
    const pair = await makeKeyPair();
    await using front = await openTlsInterceptor(service.testClient.baseUrl, pair);
    const state = await acquainted(front.url);
    await using agent = startAgent({ server: front.url, state, connect: { ca: pair.cert } });

    await agent.until(/connected as/);
  });

  /** What an impostor may try before, or instead of, proving its identity. */
  const nonce = newNonce();
  const challenge: DownMessage = {
    kind: 'challenge',
    nonce,
    key: createDeviceKey().publicKey,
    certificate: '',
    signature: 'A'.repeat(86),
  };
  const welcome: DownMessage = {
    kind: 'welcome',
    id: 1,
    device_id: 1,
    owner: 'eve@example.com',
    name: 'eve',
    epoch: nonce,
    approved: true,
    heartbeat_seconds: 12,
  };
  const command = (name: string, input: object = {}): DownMessage => ({
    kind: 'command',
    number: 1,
    name,
    input,
  });
  const tries: Record<string, DownMessage[]> = {
    'a command at once': [command('reboot', { safe: false })],
    'a welcome and a command': [welcome, command('reboot', { safe: false })],
    'a false proof, a welcome and a command': [challenge, welcome, command('reboot', { safe: false })],
    'a notice that it is unlinked': [{ kind: 'refused', code: 'unlinked', message: 'Go away.' }],
    'a false proof and a notice that it is unlinked': [
      challenge,
      { kind: 'refused', code: 'unlinked', message: 'Go away.' },
    ],
    'an order to stay away for an hour': [{ kind: 'move', after_seconds: 3_600 }],
    'an order to unlink': [welcome, command('logout')],
  };
  for (const [what, words] of Object.entries(tries))
    test(`a device that gets ${what} from an impostor does nothing and keeps its key`, async () => {
      const pair = await makeKeyPair();
      let came = 0;
      // All in one write, so that what follows the first message is there when the device decides to
      // disconnect.
      const speak = (socket: WebSocket): void => {
        came++;
        socket.once('message', () => words.forEach((word) => socket.send(JSON.stringify(word))));
      };
      await using impostor = await openImpostorServer(speak, pair);
      const state = await acquainted(impostor.url);
      await using agent = startAgent({ server: impostor.url, state, connect: { ca: pair.cert } });

      await eventually(
        () => came,
        (count) => count >= 2,
      );

      assert.deepEqual(agent.machine.done, []);
      assert.deepEqual([agent.state.id, agent.state.owner], [state.id, owner.email]);
      assert.ok(!existsSync(join(agent.folder, 'agent.json')), 'nothing was written down');
    });

  test('a renewed certificate is accepted, because the server signs which one it presents', async () => {
    await using own = await startService({ realTime: true });
    const person = (await own.account()).owner;
    await using agent = startAgent({ server: own.testClient.baseUrl, token: await createEnrolToken(person) });
    await agent.until(/connected/);
    await agent.stop();
    const renewed = await makeKeyPair();
    writeFileSync(own.server.certificate.certFile, renewed.cert);
    writeFileSync(own.server.certificate.keyFile, renewed.key);
    const print = createHash('sha256').update(new X509Certificate(renewed.cert).raw).digest('base64url');
    await eventually(
      () => shownAt(own.server.config.listen.port),
      (shown) => shown === print,
    );

    await using again = startAgent({ server: own.testClient.baseUrl, state: { ...agent.state } });
    await again.until(/connected as/);

    assert.notEqual(agent.state.certificate, print);
  });
});

/** SHA-256 of the certificate that is presented at a port. */
async function shownAt(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { raw } = socket.getPeerX509Certificate()!;
  socket.destroy();
  return createHash('sha256').update(raw).digest('base64url');
}
