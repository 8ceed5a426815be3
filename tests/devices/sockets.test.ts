/**
 * The port of devices against unknown clients: only sockets of devices are opened, and their traffic is
 * limited.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { startAgent, type TestAgent } from '../kit/agent/agent.ts';
import type { TestPerson } from '../kit/server/account.ts';
import { waitUntilOnline, createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openRawClient } from '../kit/server/raw-client.ts';
import { honestDevice, openRogueDevice, type RogueDevice } from '../kit/hostile/rogue-device.ts';
import { startStopwatch } from '../kit/stopwatch.ts';

const upgrade = (path: string, ...headers: string[]): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ...headers,
    '\r\n',
  ].join('\r\n');

const protocol = 'Sec-WebSocket-Protocol: drawbridge.uplink';

describe('sockets of devices', { concurrency: true }, () => {
  let service: TestService;
  let owner: TestPerson;
  /** An honest device that must not be affected. */
  let steady: TestAgent;
  before(async () => {
    service = await startService({ realTime: true });
    ({ owner } = await service.account());
    steady = startAgent({ server: service.testClient.baseUrl, token: await createEnrolToken(owner) });
    await steady.until(/connected/);
    await waitUntilOnline(owner, steady.state.id);
  });
  after(async () => {
    await steady[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  async function inside(): Promise<RogueDevice> {
    const rogue = await openRogueDevice(service.testClient.baseUrl);
    await rogue.enter(await createEnrolToken((await service.account()).owner));
    return rogue;
  }
  const isUndisturbed = async (): Promise<void> => {
    assert.deepEqual((await owner.call('agents/lock', { id: steady.state.id })).body, { status: 0 });
    assert.equal(steady.lines.filter((line) => /connected as/.test(line)).length, 1);
  };
  const answerTo = async (text: string, over: 'TLS' | 'plain TCP' = 'TLS'): Promise<string> => {
    const { port } = service.server.config.listen;
    await using client = await openRawClient(port, over === 'TLS' ? {} : undefined);
    client.send(text);
    return (await client.ended()).split('\r\n')[0]!;
  };

  test('a socket that a web page opens is refused, whatever its origin', async () => {
    const { port } = service.server.config.listen;
    const origins = ['https://evil.example', 'null', `https://localhost:${port}`, '', 'http://localhost'];

    for (const origin of origins)
      assert.equal(
        await answerTo(upgrade('/uplink', protocol, `Origin: ${origin}`)),
        'HTTP/1.1 403 Forbidden',
      );
  });

  test('there is no socket under another path', async () => {
    for (const path of ['/', '/uplink/', '/uplink?x=1', '/UPLINK', '/v1/agents/list'])
      assert.equal(await answerTo(upgrade(path, protocol)), 'HTTP/1.1 404 Not Found');
  });

  test('there is no socket without TLS', async () => {
    assert.equal(await answerTo(upgrade('/uplink', protocol), 'plain TCP'), 'HTTP/1.1 404 Not Found');
  });

  test('a socket must ask for the protocol of devices', async () => {
    for (const headers of [[], ['Sec-WebSocket-Protocol: chat'], ['Sec-WebSocket-Protocol: drawbridge']])
      assert.equal(await answerTo(upgrade('/uplink', ...headers)), 'HTTP/1.1 400 Bad Request');
  });

  test('a request that is not a handshake of sockets is refused', async () => {
    const plain = `GET /uplink HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

    assert.match(await answerTo(plain), /^HTTP\/1.1 4\d\d /);
    assert.match(
      await answerTo(upgrade('/uplink', protocol).replace('Version: 13', 'Version: 7')),
      /^HTTP\/1.1 4\d\d /,
    );
    assert.match(await answerTo(upgrade('/uplink', protocol).replace('GET', 'POST')), /^HTTP\/1.1 4\d\d /);
  });

  test('a client that disconnects while it is refused has no effect', async () => {
    for (let round = 0; round < 20; round++) {
      await using client = await openRawClient(service.server.config.listen.port, {});
      client.send(upgrade('/uplink', protocol, 'Origin: https://evil.example'));
      client.socket.destroy();
    }

    await isUndisturbed();
  });

  test('a client that does not authenticate in time is disconnected, also one that stops halfway', async () => {
    await using silent = await openRogueDevice(service.testClient.baseUrl);
    await using halfway = await openRogueDevice(service.testClient.baseUrl);
    using started = startStopwatch();
    await halfway.hello();
    const codes = (await Promise.all([silent.closed, halfway.closed])).map(({ code }) => code);

    assert.deepEqual(codes, [4_008, 4_008]);
    assert.ok(started.ms() < 13_000);
  });

  test('a client that sends too much before it authenticates is disconnected', async () => {
    await using rogue = await openRogueDevice(service.testClient.baseUrl);

    rogue.send({ kind: 'hello', padding: 'A'.repeat(200_000) });

    assert.equal((await rogue.closed).code, 1_006);
    await isUndisturbed();
  });

  test('a message that is too large ends the connection of its sender', async () => {
    await using rogue = await inside();

    rogue.send({ kind: 'facts', facts: { ...honestDevice.facts, name: 'A'.repeat(1_048_576) } });

    assert.equal((await rogue.closed).code, 1_009);
    await isUndisturbed();
  });

  test('large messages are limited more strictly than small ones', async () => {
    await using rogue = await inside();

    for (let round = 0; round < 5; round++)
      rogue.send({ kind: 'facts', facts: { ...honestDevice.facts, name: 'A'.repeat(900_000) } });

    assert.equal((await rogue.closed).code, 1_008);
    await isUndisturbed();
  });

  test('binary messages end the connection', async () => {
    await using rogue = await inside();

    rogue.send(Buffer.from(JSON.stringify({ kind: 'facts', facts: honestDevice.facts })));

    assert.equal((await rogue.closed).code, 4_000);
    await isUndisturbed();
  });

  test('a message in thousands of fragments ends the connection', async () => {
    await using rogue = await inside();

    for (let piece = 0; piece < 5_000; piece++) rogue.socket.send('A', { fin: false });

    assert.ok([1_006, 1_008].includes((await rogue.closed).code));
    await isUndisturbed();
  });

  const floods: Record<string, (rogue: RogueDevice) => void> = {
    messages: (rogue) => rogue.send({ kind: 'answer', number: 1, done: {} }),
    pings: (rogue) => rogue.socket.ping(),
    pongs: (rogue) => rogue.socket.pong(),
  };
  for (const [what, flood] of Object.entries(floods))
    test(`a flood of ${what} ends the connection`, async () => {
      await using rogue = await inside();

      for (let round = 0; round < 300; round++) flood(rogue);

      assert.equal((await rogue.closed).code, 1_008);
      await isUndisturbed();
    });

  test('handshake messages are refused afterwards', async () => {
    await using rogue = await inside();

    rogue.send(rogue.sentTexts[0]!);

    assert.deepEqual(await rogue.closed, { code: 4_000, reason: 'not now' });
  });
});
