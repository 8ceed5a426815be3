/** Credentials that NATS refuses, and those that an administrator replaces while a server runs. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { OnConnectionState } from '@drawbridge/server/bus/nats-connection';
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
