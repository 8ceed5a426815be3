/**
 * Sockets and pages of a real server: only messages allowed at that moment are validated, the worst costs
 * little, and it is counted.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { panel, panelPrefix } from '@drawbridge/contract/panel/index';
import { lobbyPath, lobbyProtocol, lobbyUp, lobbyUpByState } from '@drawbridge/contract/session/lobby';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import {
  maxUpBytes,
  upMessages,
  uplinkPath,
  uplinkProtocol,
  upKindsByState,
} from '@drawbridge/contract/uplink/messages';
import type { z } from 'zod';
import type { TestPerson } from '../kit/server/account.ts';
import { createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { joinLobby } from '../kit/session/session-ends.ts';
import { honestDevice, openRogueDevice } from '../kit/hostile/rogue-device.ts';
import { differsLittle } from './cost.ts';
import { sendFirstMessage, type SocketEnd } from './first-message.ts';
import { sampleOf } from './samples.ts';

type Kinds = Record<string, z.ZodObject>;

/** Records which schemas are used during an action. */
async function checkedDuring(kinds: Kinds, act: () => Promise<unknown>): Promise<string[]> {
  const checked: string[] = [];
  const restores = Object.entries(kinds).map(([kind, schema]) => {
    const { run } = schema._zod;
    schema._zod.run = (...given) => {
      checked.push(kind);
      return run(...given);
    };
    return () => void (schema._zod.run = run);
  });
  try {
    await act();
  } finally {
    restores.forEach((restore) => restore());
  }
  return checked;
}

const textOf = (kinds: Kinds, kind: string): string =>
  JSON.stringify({ kind, ...(sampleOf(kinds[kind]!) as object) });

/** A list that fills a whole message. */
const filled = (start: string, item: string, end: string, bytes: number): string =>
  `${start}[${`${item},`.repeat((bytes - start.length - end.length - 16) / (item.length + 1))}${item}]${end}`;

const hardwareOf = (item: string, bytes: number): string =>
  filled('{"kind":"hardware","hardware":{"NetAdapters":', item, '}}', bytes);

describe('what a server reads from untrusted clients', () => {
  let service: TestService;
  let owner: TestPerson;
  let token: string;
  let server: string;
  before(async () => {
    service = await startService({ realTime: true });
    ({ owner } = await service.account());
    token = await createEnrolToken(owner, { uses: 10_000 });
    server = service.testClient.baseUrl;
  });
  after(() => service[Symbol.asyncDispose]());

  const uplink = (text: string): Promise<SocketEnd> =>
    sendFirstMessage({ server, path: uplinkPath, protocol: uplinkProtocol }, text);
  const lobby = (text: string): Promise<SocketEnd> =>
    sendFirstMessage({ server, path: lobbyPath, protocol: lobbyProtocol }, text);
  const challenged = async (text: string): Promise<unknown> => {
    await using rogue = await openRogueDevice(server);
    await rogue.hello();
    rogue.send(text);
    return await rogue.closed;
  };
  const welcomed = async (text: string): Promise<unknown> => {
    await using rogue = await openRogueDevice(server);
    await rogue.enter(token);
    rogue.send(text);
    return await rogue.closed;
  };
  const invited = async (text: string): Promise<unknown> => {
    const { data } = (await owner.call('support/create', { client_name: 'Ann' })).body;
    await using client = await joinLobby(server, (data as { invite_code: string }).invite_code);
    await client.waitFor('welcome');
    client.socket.send(text);
    return await client.closed;
  };

  test('at the uplink, a kind that is not allowed at that moment is not validated at all', async () => {
    for (const kind of Object.keys(upMessages).filter((each) => each !== 'hello'))
      assert.deepEqual(await checkedDuring(upMessages, () => uplink(textOf(upMessages, kind))), [], kind);
    for (const kind of Object.keys(upMessages).filter((each) => each !== 'proof'))
      assert.deepEqual(
        await checkedDuring(upMessages, () => challenged(textOf(upMessages, kind))),
        ['hello'],
        kind,
      );
    for (const kind of ['hello', 'proof']) {
      const checked = await checkedDuring(upMessages, () => welcomed(textOf(upMessages, kind)));
      assert.deepEqual(checked, ['hello', 'proof', 'kept'], kind);
    }
    assert.deepEqual(Object.values(upKindsByState).flat().toSorted(), Object.keys(upMessages).toSorted());
  });

  test('in the lobby, a kind that is not allowed at that moment is not validated at all', async () => {
    for (const kind of lobbyUpByState.joined)
      assert.deepEqual(await checkedDuring(lobbyUp, () => lobby(textOf(lobbyUp, kind))), [], kind);
    assert.deepEqual(await checkedDuring(lobbyUp, () => invited(textOf(lobbyUp, 'join'))), ['join']);
  });

  test('a first message that is longer than any hello is not even parsed', async () => {
    const hello = textOf(upMessages, 'hello').replace('}', `,"more":"${'a'.repeat(4_096)}"}`);

    assert.deepEqual(await checkedDuring(upMessages, () => uplink(hello)), []);
    assert.deepEqual(await uplink(hello), { code: 4_000, reason: 'not understood' });
  });

  /** An exchange with this message costs hardly more than one with as many meaningless bytes. */
  async function isCheap(send: (text: string) => Promise<unknown>, worst: string): Promise<void> {
    const bytes = Buffer.byteLength(worst);
    const nothing = `"${'a'.repeat(bytes - 2)}"`;
    await differsLittle(bytes, { usual: () => send(nothing), worst: () => send(worst) });
  }

  const kilobytes = 62_000;
  const { facts, fingerprint } = honestDevice;
  const proof = JSON.stringify({ kind: 'proof', signature: 'A'.repeat(86), facts, fingerprint });
  const attacks: Record<string, [send: (text: string) => Promise<unknown>, text: string]> = {
    'empty adapters before hello': [uplink, hardwareOf('{}', kilobytes)],
    'empty lists before hello': [uplink, hardwareOf('[]', kilobytes)],
    'a few empty adapters before hello': [uplink, hardwareOf('{}', 4_000)],
    'adapters instead of a proof': [challenged, hardwareOf('{}', kilobytes)],
    'a proof with empty addresses': [
      challenged,
      proof.replace('["10.6.6.6"]', () => filled('', '{}', '', kilobytes)),
    ],
    'adapters of a device that is in': [welcomed, hardwareOf('{}', maxUpBytes - 10_000)],
    'a picture before a client has joined': [
      lobby,
      filled('{"kind":"preview","picture":', '{}', '}', 200_000),
    ],
    'a picture of a client': [invited, filled('{"kind":"preview","picture":', '{}', '}', 200_000)],
    'a ticket of dots': [
      (text) => sendFirstMessage({ server, path: relayPath, protocol: relayProtocol }, text),
      '.'.repeat(4_000),
    ],
  };
  for (const [what, [send, text]] of Object.entries(attacks))
    test(`${what} costs the server no more than its size allows`, async () => {
      await isCheap(send, text);
    });

  const posts = [
    ...['open', 'resume', 'note', 'alarm'].map((each) => `/session/${each}`),
    '/p/some-path',
    ...Object.entries(panel)
      .filter(([, { who, method }]) => who === 'anyone' && method === 'POST')
      .map(([id]) => `${panelPrefix}${id}`),
    '/v1/team/role/create',
  ];
  for (const path of posts)
    test(`the worst bodies at ${path} cost no more than their size allows`, async () => {
      const post = (body: string): Promise<unknown> =>
        service.testClient.send({
          method: 'POST',
          path,
          headers: { Origin: service.server.config.publicUrl, 'X-Api-Key': owner.apiKey },
          body,
        });
      for (const body of [
        filled('{"permission":', '{}', '}', 65_000),
        filled('', '0', '', 65_000),
        'a&'.repeat(32_000),
        '%zz&'.repeat(16_000),
      ])
        await isCheap(post, body);
    });

  test('the worst query strings and headers cost no more than their size allows', async () => {
    const get = (headers: Record<string, string>, query: string) => (): Promise<unknown> =>
      service.testClient.send({
        path: `/v1/agents/list?${query}`,
        headers: { 'X-Api-Key': owner.apiKey, ...headers },
      });
    const long = (text: string): string => text.repeat(14_000 / text.length);
    const usual = get({}, `search=${long('a')}`);

    for (const query of ['a&', '%41=%41&', '%zz&', '%F0%9F%98%80'].map(long))
      await differsLittle(query.length, { usual, worst: get({}, query) });
    for (const value of ['a=b;', ';', ','].map(long))
      for (const name of ['Cookie', 'X-Forwarded-For', 'Range', 'Accept-Encoding'])
        await differsLittle(value.length, { usual, worst: get({ [name]: value }, '') });
  });
});

/** Sends it repeatedly until the server no longer accepts it; returns how often it did. */
async function untilTurnedAway(say: () => Promise<SocketEnd>): Promise<number> {
  for (let count = 0; count < 600; count += 1) {
    const ended = await say();
    if (!('http' in ended)) continue;
    assert.deepEqual(ended, { http: 429 });
    return count;
  }
  return Infinity;
}

for (const [where, path, protocol] of [
  ['uplink', uplinkPath, uplinkProtocol],
  ['lobby', lobbyPath, lobbyProtocol],
] as const)
  test(`a network whose sockets are refused too often is refused at the ${where}, and no other is`, async () => {
    await using service = await startService({ realTime: true });
    const place = { server: service.testClient.baseUrl, path, protocol };
    const wrong = '{"kind":"hardware"}';

    const count = await untilTurnedAway(() => sendFirstMessage(place, wrong));

    assert.ok(count >= 200 && count < 500, `${count} were heard`);
    assert.deepEqual(await sendFirstMessage({ ...place, from: '127.0.0.2' }, wrong), {
      code: 4_000,
      reason: 'not understood',
    });
  });
