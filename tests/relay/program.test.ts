/** The relay as a program of its own: over TLS, with nothing but the key of the server. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { closings } from '@drawbridge/contract/session/closings';
import { kinds, type Side } from '@drawbridge/contract/session/kinds';
import { bodyOf } from '@drawbridge/contract/session/signed';
import { makeSelfSigned } from '@drawbridge/server/tls/self-signed';
import { createCaller, createSigner, newPair } from './kit.ts';

const program = join(import.meta.dirname, '../../relay/src/main.ts');

async function start(serverKey: string) {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-relay-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const { cert, key } = await makeSelfSigned(['localhost'], new Date());
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const child = spawn(process.execPath, [program, '--listen', '127.0.0.1:0', '--server-key', serverKey], {
    env: { ...process.env, DRAWBRIDGE_TLS_CERT: certFile, DRAWBRIDGE_TLS_KEY: keyFile },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Record<string, unknown>[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  await once(output, 'line');
  const { port } = lines[0]!['address'] as { port: number };
  return {
    child,
    lines,
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test('it joins two sides over TLS, says what passed, and ends when told to', async () => {
  const signer = createSigner();
  await using relay = await start(signer.publicKey);
  const pair = newPair();
  const exp = Math.floor(Date.now() / 1_000) + 60;
  const come = async (side: Side) => {
    const caller = createCaller(relay.port, { rejectUnauthorized: false });
    await once(caller.socket, 'open');
    caller.socket.send(signer.sign(bodyOf('ticket', { v: 1, pair, side, permissions: [], exp })));
    return caller;
  };
  const [operator, device] = [await come('operator'), await come('device')];
  await Promise.all([operator.paired(), device.paired()]);

  device.send(kinds.hello.byte, 1, 2);
  assert.deepEqual(await operator.got(1), [Buffer.from([kinds.hello.byte, 1, 2])]);
  const exited = once(relay.child, 'close');
  relay.child.kill('SIGTERM');

  assert.deepEqual([await operator.closed, await device.closed], [closings.stopping, closings.stopping]);
  assert.deepEqual(await exited, [0, null]);
  const { bytesToOperator, by } = relay.lines.at(-1)!;
  assert.deepEqual([bytesToOperator, by], [3, 'server']);
});

test('it says what is missing, and does not start', () => {
  for (const [words, sentence] of [
    [[], '--listen must be'],
    [['--listen', '127.0.0.1:0'], '--server-key must be'],
    [['--listen', '127.0.0.1:0', '--server-key', 'short'], '--server-key must be'],
    [['--listen', '127.0.0.1:0', '--server-key', 'A'.repeat(43)], 'DRAWBRIDGE_TLS_CERT'],
    [['--wrong'], "Unknown option '--wrong'"],
  ] as const) {
    const { status, stderr } = spawnSync(process.execPath, [program, ...words], {
      encoding: 'utf8',
      env: {},
    });

    assert.equal(status, 2);
    assert.ok(stderr.startsWith(sentence), stderr);
  }
});
