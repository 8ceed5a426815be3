/** Credentials and certificates for NATS: those that it accepts, those that it refuses, and those that are replaced while a server runs. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadOrCreateCertificate } from '@drawbridge/server/tls/certificate';
import type { OnConnectionState } from '@drawbridge/server/bus/nats-connection';
import { createClientCertificate } from '../kit/client-certificate.ts';
import { eventually } from '../kit/eventually.ts';
import { skipWithout } from '../kit/requirements.ts';
import { createNatsOperator } from '../kit/nodes/nats-credentials.ts';
import { natsAt, openNode } from '../kit/server/bus-node.ts';
import { startNats } from '../kit/server/nats.ts';
import { openTcpProxy } from '../kit/server/proxies.ts';

const skip = skipWithout('nats-server');

/** What a node reports, as `state: reason`. */
function listen(): {
  reported: string[];
  onState: OnConnectionState;
  until(state: string): Promise<unknown>;
} {
  const reported: string[] = [];
  return {
    reported,
    onState: (state, reason) => void reported.push(`${state}: ${reason}`),
    until: (state) =>
      eventually(
        () => reported.at(-1) ?? '',
        (last) => last.startsWith(state),
      ),
  };
}

describe('credentials for NATS', { skip }, () => {
  test('that are refused when NATS is there at last are reported, once', async () => {
    await using nats = await startNats(['--auth', 'token']);
    let attempts = 0;
    const settings = {
      ...natsAt(nats.url),
      get addresses() {
        attempts++;
        return [nats.url];
      },
    };
    await nats.stop();
    const { reported, onState, until } = listen();
    const bus = await openNode('', { nats: settings, onState });
    const before = reported.length;
    await nats.start();
    await until('refused');
    const reached = attempts;
    await eventually(
      () => attempts,
      (count) => count >= reached + 3,
    );

    assert.deepEqual([before, reported.length], [1, 2]);
    assert.match(reported[1]!, /^refused: .*Authorization/);
    await bus.close();
  });

  test('that are refused after a restart of NATS are reported once, and the renewed file is used', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-nats-'));
    const [first, second] = ['first', 'second'].map((name) =>
      createNatsOperator(mkdtempSync(join(folder, `${name}-`))),
    );
    const [config, credentials] = [join(folder, 'nats.conf'), join(folder, 'node.creds')];
    copyFileSync(first!.config, config);
    copyFileSync(first!.credentialsFor('node', ['drawbridge.tests.>']), credentials);
    await using nats = await startNats(['-c', config]);
    let attempts = 0;
    await using proxy = await openTcpProxy(() => (attempts++, nats.url));
    const { reported, onState, until } = listen();
    const url = proxy.url.replace(/^https?/, 'nats');
    const bus = await openNode('', { nats: { ...natsAt(url), credentials }, onState });

    await nats.stop();
    copyFileSync(second!.config, config);
    await nats.start();
    await until('refused');
    const reached = attempts;
    await eventually(
      () => attempts,
      (count) => count >= reached + 3,
    );
    writeFileSync(credentials, 'half of a fi');
    const incomplete = attempts;
    await eventually(
      () => attempts,
      (count) => count >= incomplete + 2,
    );
    copyFileSync(second!.credentialsFor('node', ['drawbridge.tests.>']), credentials);
    await until('up');

    assert.deepEqual(
      reported.map((line) => line.split(':')[0]),
      ['down', 'refused', 'up'],
    );
    await bus.close();
    rmSync(folder, { recursive: true });
  });
});

describe('NATS that requires credentials', { skip }, () => {
  test('accepts a server with the right certificate, and refuses one without', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-nats-'));
    const server = await loadOrCreateCertificate(folder, ['localhost', '127.0.0.1']);
    const { cert, key } = await createClientCertificate(folder);
    await using nats = await startNats([
      '--tls',
      '--tlscert',
      server.certFile,
      '--tlskey',
      server.keyFile,
      '--tlsverify',
      '--tlscacert',
      cert,
    ]);
    const settings = { ...natsAt(nats.url), ca: server.certFile, cert, key };
    const [one, other] = await Promise.all([1, 2].map(() => openNode(nats.url, { nats: settings })));
    one!.answer('ask', async () => 'here');

    assert.equal(
      await eventually(
        () => other!.request('ask', {}, 1_000),
        (answer) => answer === 'here',
      ),
      'here',
    );
    for (const wrong of [
      { ...settings, ca: undefined },
      { ...settings, ca: cert },
    ])
      await assert.rejects(openNode(nats.url, { nats: wrong }), /^Error: refused/);
    const stranger = await createClientCertificate(mkdtempSync(join(folder, 'stranger-')));
    for (const [wrong, why] of [
      [{ ...settings, cert: undefined, key: undefined }, /refused.*requires a client certificate: set/],
      [{ ...settings, ...stranger }, /refused.*does not accept the one/],
    ] as const)
      await assert.rejects(openNode(nats.url, { nats: wrong }), why);
    await Promise.all([one!.close(), other!.close()]);
    rmSync(folder, { recursive: true });
  });

  test('accepts a user with a credentials file and its rights, and not the user of another operator', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-nats-'));
    const operator = createNatsOperator(folder);
    await using nats = await startNats(['-c', operator.config]);
    const settings = (credentials: string) => ({ nats: { ...natsAt(nats.url), credentials } });
    const own = settings(operator.credentialsFor('own', ['drawbridge.tests.>']));
    const [one, other] = await Promise.all([openNode(nats.url, own), openNode(nats.url, own)]);
    one.answer('ask', async () => 'here');

    assert.equal(
      await eventually(
        () => other.request('ask', {}, 1_000),
        (answer) => answer === 'here',
      ),
      'here',
    );
    const limited = settings(operator.credentialsFor('limited', ['others.>']));
    await assert.rejects(openNode(nats.url, limited), /must be allowed to publish and to subscribe/);
    const foreign = createNatsOperator(mkdtempSync(join(folder, 'foreign-')));
    const unknown = settings(foreign.credentialsFor('own', ['>']));
    await assert.rejects(openNode(nats.url, unknown), /^Error: refused: Authorization Violation/i);
    await assert.rejects(openNode(nats.url), /^Error: refused/);
    await Promise.all([one.close(), other.close()]);
    rmSync(folder, { recursive: true });
  });

  test('accepts a token in the address', async () => {
    await using nats = await startNats(['--auth', 'some token']);
    const bus = await openNode(nats.url.replace('//', '//some%20token@'));
    await bus.close();
    await assert.rejects(openNode(nats.url.replace('//', '//other@')), /^Error: refused/);
  });

  test('refuses a user without the rights, with the subjects that it needs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-nats-'));
    const file = join(folder, 'nats.conf');
    const limited = { publish: ['other.>'], subscribe: ['drawbridge.>', '_INBOX.>'] };
    const least = { publish: ['drawbridge.>'], subscribe: ['drawbridge.>'] };
    writeFileSync(
      file,
      JSON.stringify({
        authorization: {
          users: [
            { user: 'limited', password: 'x', permissions: limited },
            { user: 'least', password: 'x', permissions: least },
          ],
        },
      }),
    );
    await using nats = await startNats(['-c', file]);
    const as = (user: string): string => nats.url.replace('//', `//${user}:x@`);

    await assert.rejects(openNode(as('limited')), /publish and to subscribe to drawbridge\.tests\.>/);
    await (await openNode(as('least'))).close();
    rmSync(folder, { recursive: true });
  });
});
