/** Who is admitted: the handshake of devices, as impostors try it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDeviceKey, signWith } from '@drawbridge/agent/uplink/keys';
import { agentStatement } from '@drawbridge/contract/uplink/messages';
import { listDevices, createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { eventually } from '../kit/eventually.ts';
import { openRogueDevice, type RogueDevice } from '../kit/hostile/rogue-device.ts';

describe('the handshake of devices', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ realTime: true });
  });
  after(() => service[Symbol.asyncDispose]());

  /** A device that has enrolled honestly. */
  async function joined(): Promise<{ rogue: RogueDevice; token: string }> {
    const { owner } = await service.account();
    const token = await createEnrolToken(owner);
    const rogue = await openRogueDevice(service.testClient.baseUrl);
    await rogue.enter(token);
    return { rogue, token };
  }

  test('a recorded handshake is refused when it is replayed, a hundred times', async () => {
    const codes: string[] = [];

    for (let device = 0; device < 10; device++) {
      const { rogue } = await joined();
      await rogue[Symbol.asyncDispose]();
      for (let round = 0; round < 10; round++) {
        await using replay = await openRogueDevice(service.testClient.baseUrl);
        for (const word of rogue.sentTexts) replay.send(word);
        codes.push((await replay.next('refused')).code);
      }
    }

    assert.equal(codes.filter((code) => code === 'bad_proof').length, 100);
  });

  test('a signature that was made for another server is refused', async () => {
    const { rogue } = await joined();
    await using again = await openRogueDevice(service.testClient.baseUrl, { key: rogue.key });
    const asked = await again.hello();
    const { nonce } = JSON.parse(again.sentTexts[0]!) as { nonce: string };
    const statement = agentStatement({
      serverNonce: asked.nonce,
      agentNonce: nonce,
      serverKey: createDeviceKey().publicKey,
    });

    again.prove(asked, { signature: signWith(rogue.key.privateKey, statement) });

    assert.equal((await again.next('refused')).code, 'bad_proof');
    assert.equal((await again.closed).code, 4_003);
    await rogue[Symbol.asyncDispose]();
  });

  test("nobody gets in with another device's key, and the other device stays connected", async () => {
    const { rogue } = await joined();
    const thief = { ...createDeviceKey(), publicKey: rogue.key.publicKey };
    await using again = await openRogueDevice(service.testClient.baseUrl, { key: thief });

    again.prove(await again.hello());

    assert.equal((await again.next('refused')).code, 'bad_proof');
    assert.equal(rogue.socket.readyState, rogue.socket.OPEN);
    await rogue[Symbol.asyncDispose]();
  });

  test('an unknown key without a token is told that it is unlinked', async () => {
    await using outsider = await openRogueDevice(service.testClient.baseUrl);

    outsider.prove(await outsider.hello());

    assert.equal((await outsider.next('refused')).code, 'unlinked');
  });

  test('an agent that is too old is told so in a sentence', async () => {
    await using old = await openRogueDevice(service.testClient.baseUrl);

    old.send({ kind: 'hello', version: 0, key: old.key.publicKey, nonce: createDeviceKey().publicKey });
    const { code, message } = await old.next('refused');

    assert.equal(code, 'old_version');
    assert.match(message, /too old.*update/);
  });

  test('a proof before the hello, two hellos and unknown messages end the connection', async () => {
    const { owner } = await service.account();
    const first: ((rogue: RogueDevice) => void)[] = [
      (rogue) => rogue.prove({ kind: 'challenge', nonce: '', key: '', certificate: '', signature: '' }),
      (rogue) => void rogue.hello().then(() => rogue.send(rogue.sentTexts[0]!)),
      (rogue) => rogue.send({ kind: 'kept', epoch: 'A'.repeat(43) }),
      (rogue) => rogue.send({ kind: '__proto__' }),
      (rogue) => rogue.send({ kind: 'constructor' }),
      (rogue) => rogue.send('not JSON'),
      (rogue) => rogue.send('null'),
      (rogue) => rogue.send(Buffer.from(JSON.stringify({ kind: 'hello' }))),
      (rogue) => rogue.send({ kind: 'hello', version: 1, key: 'short', nonce: 'short' }),
    ];

    const codes = await Promise.all(
      first.map(async (speak) => {
        await using rogue = await openRogueDevice(service.testClient.baseUrl);
        speak(rogue);
        return (await rogue.closed).code;
      }),
    );

    assert.deepEqual(new Set(codes), new Set([4_000]));
    assert.deepEqual(await listDevices(owner), []);
  });

  test('a malformed key is refused like a wrong one', async () => {
    for (const publicKey of ['A'.repeat(43), `${'A'.repeat(42)}B`, '_'.repeat(43)]) {
      await using rogue = await openRogueDevice(service.testClient.baseUrl, {
        key: { ...createDeviceKey(), publicKey },
      });
      rogue.prove(await rogue.hello());
      assert.equal((await rogue.next('refused')).code, 'bad_proof');
    }
  });

  test('anyone who knows the key of a device cannot keep it away by sending hello in its name', async () => {
    const { rogue } = await joined();
    const thief = { ...createDeviceKey(), publicKey: rogue.key.publicKey };
    for (let tries = 0; tries < 40; tries++) {
      await using outsider = await openRogueDevice(service.testClient.baseUrl, { key: thief });
      const asked = await outsider.hello();
      if (tries % 2 === 0) continue;
      outsider.prove(asked);
      assert.equal((await outsider.next('refused')).code, 'bad_proof');
    }

    await using back = await openRogueDevice(service.testClient.baseUrl, { key: rogue.key });
    assert.ok(await back.enter());
    await rogue[Symbol.asyncDispose]();
  });

  test('a device that reconnects too often is asked to slow down, and no other is', async () => {
    const { rogue } = await joined();
    const words: string[][] = [];
    for (let tries = 0; tries < 25; tries++) {
      await using again = await openRogueDevice(service.testClient.baseUrl, { key: rogue.key });
      again.prove(await again.hello());
      await eventually(
        () => again.received.length,
        (count) => count === 2,
      );
      words.push(again.received.map(({ kind }) => kind));
    }
    const other = await joined();

    assert.deepEqual(words[0], ['challenge', 'welcome']);
    assert.deepEqual(words.at(-1), ['challenge', 'move']);
    await other.rogue[Symbol.asyncDispose]();
    await rogue[Symbol.asyncDispose]();
  });
});
