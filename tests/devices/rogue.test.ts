/**
 * Compromised devices: whatever they send, in whatever field, is refused or sanitised, and nobody else
 * notices.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hardware as hardwareSchema, type Hardware } from '@drawbridge/contract/hardware';
import { commandSubject } from '@drawbridge/server/gateway/devices/fleet';
import type { TestPerson } from '../kit/server/account.ts';
import { startAgent, type TestAgent } from '../kit/agent/agent.ts';
import { databases } from '../kit/server/database.ts';
import { waitUntilOnline, createEnrolToken } from '../kit/server/enrolment.ts';
import {
  filledWith,
  fullHardware,
  hostileJson,
  hostileTexts,
  misleading,
  textsIn,
} from '../kit/hostile/hostile.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { honestDevice, openRogueDevice } from '../kit/hostile/rogue-device.ts';
import { eventually } from '../kit/eventually.ts';

const thirtySix = Object.keys(hardwareSchema.shape);
const program = { name: '', version: '', publisher: '', install_date: '' };

for (const { kind, skip } of databases)
  describe(`compromised devices on ${kind}`, { skip }, () => {
    let service: TestService;
    /** An honest device of another account. */
    let [steady, neighbour]: [TestAgent?, TestPerson?] = [];
    before(async () => {
      service = await startService({ database: kind, realTime: true });
      neighbour = (await service.account()).owner;
      steady = startAgent({ server: service.testClient.baseUrl, token: await createEnrolToken(neighbour) });
      await steady.until(/connected/);
      await waitUntilOnline(neighbour, steady.state.id);
    });
    after(async () => {
      assert.deepEqual((await neighbour!.call('agents/lock', { id: steady!.state.id })).body, { status: 0 });
      assert.equal(steady!.lines.filter((line) => /connected as/.test(line)).length, 1);
      assert.deepEqual(
        service.logged.filter((line) => line.includes('"level":"error"')),
        [],
      );
      await steady![Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    });

    const infoOf = async (owner: TestPerson, id: number) =>
      (await owner.call('agents/info', { agent_id: id })).body['data'] as {
        hardware: Hardware;
        name: string;
      };

    test('hostile texts in every field are truncated and sanitised', async () => {
      const { owner } = await service.account();
      const token = await createEnrolToken(owner, { uses: 100 });
      for (const [what, text] of Object.entries(hostileTexts)) {
        await using rogue = await openRogueDevice(service.testClient.baseUrl);
        const outcome = (length: number) => ({
          facts: { ...(filledWith(honestDevice.facts, text.slice(0, length)) as object), os: 'linux' },
          fingerprint: { machine_id: text.slice(0, length), serial: text.slice(0, length), macs: [] },
        });
        const { id } = await rogue.enter(token, outcome(2_000));
        rogue.send({ kind: 'facts', facts: outcome(100_000).facts });
        rogue.send({ kind: 'hardware', hardware: filledWith(fullHardware, text.slice(0, 5_000)) });
        const info = await eventually(
          () => infoOf(owner, id),
          (data) => data.hardware.HDD.length === 1,
        );

        assert.deepEqual(Object.keys(info.hardware), thirtySix, what);
        const texts = textsIn(info);
        assert.deepEqual(
          texts.filter((each) => misleading.test(each)),
          [],
          what,
        );
        assert.ok(
          texts.every((each) => each.length <= 256),
          what,
        );
      }

      for (const list of ['agents/list', 'agents/duplicates', 'agents/pending'] as const) {
        const { http, body } = await owner.call(list);
        assert.equal(http, 200);
        assert.ok(!textsIn(body).some((each) => misleading.test(each)));
      }
    });

    test('hostile answers to commands are sanitised or rejected', async () => {
      const { owner } = await service.account();
      await using rogue = await openRogueDevice(service.testClient.baseUrl);
      const { id } = await rogue.enter(await createEnrolToken(owner));
      await waitUntilOnline(owner, id);
      /** Sends a command, answers it like this, and resolves with the result. */
      const ask = async (call: () => Promise<unknown>, answer: string): Promise<unknown> => {
        const asked = call();
        const { number } = await rogue.next('command');
        rogue.send(`{"kind":"answer","number":${number},${answer}}`);
        return asked;
      };
      const reboot = () => owner.call('agents/reboot', { id });
      const software = () => owner.call('agents/software', { agent_id: id });
      const preview = () =>
        service.server.bus.request(commandSubject(id), { name: 'preview', input: { width: 320 } }, 10_000);

      for (const text of Object.values(hostileTexts).map((each) => each.slice(0, 10_000))) {
        const outcome = (await ask(reboot, `"refused":${JSON.stringify(text)}`)) as { body: unknown };
        assert.ok(!textsIn(outcome.body).some((each) => misleading.test(each) || each.length > 512));
        const programs = JSON.stringify([filledWith(program, text)]);
        const listed = (await ask(software, `"done":{"programs":${programs}}`)) as {
          body: { data: unknown[] };
        };
        assert.equal(listed.body.data.length, 1);
        assert.ok(!textsIn(listed.body).some((each) => misleading.test(each) || each.length > 256));
      }
      for (const json of Object.values(hostileJson)) {
        const made = await ask(preview, `"done":${json}`);
        assert.match(JSON.stringify(made), /answer that is not valid/);
        const listed = (await ask(software, `"done":{"programs":${json}}`)) as { body: { data: unknown[] } };
        assert.equal(listed.body.data.length, 1, 'the list from before stays');
      }
      for (const picture of [
        '{"type":"text/html","picture":"PHNjcmlwdD4="}',
        '{"type":"image/svg+xml","picture":"PHN2Zz4="}',
        '{"type":"image/png","picture":"<script>"}',
        `{"type":"image/png","picture":"${'A'.repeat(400_004)}"}`,
      ])
        assert.match(JSON.stringify(await ask(preview, `"done":${picture}`)), /answer that is not valid/);
      assert.equal(rogue.socket.readyState, rogue.socket.OPEN);
    });

    test('an unsolicited answer is ignored', async () => {
      const { owner } = await service.account();
      await using rogue = await openRogueDevice(service.testClient.baseUrl);
      const { id } = await rogue.enter(await createEnrolToken(owner));
      await waitUntilOnline(owner, id);
      for (const number of [1, 2, 3]) rogue.send({ kind: 'answer', number, done: {} });
      const asked = owner.call('agents/reboot', { id });
      const { number } = await rogue.next('command');
      rogue.send({ kind: 'answer', number: number + 1, done: {} });
      rogue.send({ kind: 'answer', number, refused: 'I would rather not.' });

      assert.equal((await asked).body.error?.message, 'I would rather not.');
    });
  });
