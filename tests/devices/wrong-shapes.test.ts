/** Malformed messages of devices: they end the connection of their sender and change nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import { hardware as hardwareSchema } from '@drawbridge/contract/hardware';
import type { TestPerson } from '../kit/server/account.ts';
import { createEnrolToken } from '../kit/server/enrolment.ts';
import { fullHardware, hostileJson, pathsIn, withJson } from '../kit/hostile/hostile.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { honestDevice, openRogueDevice, type RogueDevice } from '../kit/hostile/rogue-device.ts';
import { eventually } from '../kit/eventually.ts';

const thirtySix = Object.keys(hardwareSchema.shape);

describe('malformed messages of devices', () => {
  let service: TestService;
  let owner: TestPerson;
  let token: string;
  before(async () => {
    service = await startService({ realTime: true });
    ({ owner } = await service.account());
    token = await createEnrolToken(owner, { uses: 10_000 });
  });
  after(() => service[Symbol.asyncDispose]());

  /** How many devices try at once. */
  const atOnce = 16;
  async function tryAll(
    attempts: readonly string[],
    speak: (rogue: RogueDevice, text: string) => Promise<void>,
  ) {
    const codes: number[] = [];
    const left = [...attempts];
    const work = async (): Promise<void> => {
      for (let text = left.pop(); text !== undefined; text = left.pop()) {
        await using rogue = await openRogueDevice(service.testClient.baseUrl);
        await speak(rogue, text);
        codes.push((await rogue.closed).code);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return codes;
  }
  /** The value with something malformed at every position in turn, two kinds of it at each. */
  const attemptsOn = (value: object): string[] =>
    pathsIn(value).flatMap((path, index) => {
      const wrong = Object.entries(hostileJson).filter(
        ([what]) => !(what === 'a list' && isList(value, path)),
      );
      const chosen = [wrong[index % wrong.length]!, wrong[(index + 1) % wrong.length]!];
      return chosen.map(([, json]) => withJson(value, path, json));
    });

  test('any malformed field in the proof keeps the device out', async () => {
    const { facts, fingerprint } = honestDevice;
    const prints = { ...fingerprint, macs: ['02:00:00:00:00:01'] };
    const shapes = [
      ...attemptsOn(facts).map((json) => `"facts":${json},"fingerprint":${JSON.stringify(prints)}`),
      ...attemptsOn(prints).map((json) => `"facts":${JSON.stringify(facts)},"fingerprint":${json}`),
      `"facts":${JSON.stringify(facts)},"fingerprint":{"machine_id":"","serial":"","macs":["<script>"]}`,
    ].filter((text) => text.length < 60_000);

    const codes = await tryAll(shapes, async (rogue, text) => {
      await rogue.hello();
      rogue.send(`{"kind":"proof","signature":"${'A'.repeat(86)}",${text}}`);
    });

    assert.ok(codes.length >= 20, `${codes.length} tries`);
    assert.deepEqual(new Set(codes), new Set([4_000]));
    assert.deepEqual((await owner.call('agents/list')).body['data'], []);
  });

  test('any malformed field afterwards ends the connection and changes nothing', async () => {
    const shapes = [
      ...attemptsOn(honestDevice.facts).map((json) => `{"kind":"facts","facts":${json}}`),
      ...attemptsOn(fullHardware).map((json) => `{"kind":"hardware","hardware":${json}}`),
      ...Object.values(hostileJson).flatMap((json) => [
        `{"kind":"answer","number":${json},"done":{}}`,
        `{"kind":"answer","number":1,"refused":${json}}`,
        `{"kind":"kept","epoch":${json}}`,
        `{"kind":"hardware","hardware":${json}}`,
        `{"kind":${json}}`,
        json,
      ]),
      `{"kind":"hardware","hardware":${JSON.stringify({ ...fullHardware, CPU: undefined })}}`,
    ];

    const codes = await tryAll(shapes, async (rogue, text) => {
      await rogue.enter(token);
      rogue.send(text);
    });

    assert.ok(codes.length > 150, `${codes.length} tries`);
    assert.deepEqual(new Set(codes), new Set([4_000]));
    const devices = (await owner.call('agents/list')).body['data'] as { id: number; name: string }[];
    assert.deepEqual(new Set(devices.map(({ name }) => name)), new Set(['rogue']));
    assert.equal(({} as { admin?: boolean }).admin, undefined);
    const { body } = await owner.call('agents/info', { agent_id: devices[0]!.id });
    assert.deepEqual(body['data'].hardware, emptyHardware);
  });

  test('unknown fields are dropped, and the stored keys are always the thirty-six', async () => {
    await using rogue = await openRogueDevice(service.testClient.baseUrl);
    const { id } = await rogue.enter(token);
    const more = JSON.stringify({ ...fullHardware, CPU: 'seen', Extra: 'x', constructor: 'x' });

    rogue.send(`{"kind":"hardware","hardware":${more.replace('{', '{"__proto__":{"admin":true},')}}`);
    const info = await eventually(
      async () =>
        (await owner.call('agents/info', { agent_id: id })).body['data'] as {
          hardware: Record<string, unknown>;
        },
      (data) => data.hardware['CPU'] === 'seen',
    );

    assert.deepEqual(Object.keys(info.hardware), thirtySix);
  });
});

const isList = (value: object, path: string): boolean =>
  Array.isArray(
    path.split('.').reduce((at, step) => (at as Record<string, unknown>)[step], value as unknown),
  );
