/** Recordings that operators start and stop during a session: who may, and what reaches the device and the history. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { startAgent } from '../kit/agent/agent.ts';
import { createFakePlatform } from '../kit/agent/fake-platform.ts';
import { findWindow } from '../kit/display/desktop-programs.ts';
import { startDisplay } from '../kit/display/display.ts';
import { eventually } from '../kit/eventually.ts';
import { skipWithout } from '../kit/requirements.ts';
import { createEnrolToken, waitUntilOnline } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { findLastVideo, openWatchedSession } from '../kit/session/recorded-session.ts';
import { openSessionLink, postToSession, readRefusal, startFakeDevice } from '../kit/session/session-ends.ts';

const switchTo = (service: TestService, { session, secret }: OpenReply, on: boolean) =>
  postToSession(service, 'record', { session, secret, on });

describe('the server decides about a recording', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service[Symbol.asyncDispose]());

  async function fixture(version: number, video: boolean | undefined) {
    const { owner } = await service.account();
    const device = await startFakeDevice(service.testClient.baseUrl, await createEnrolToken(owner), version);
    await waitUntilOnline(owner, device.id);
    const params = { agent_id: device.id, ...(video !== undefined && { video }) };
    const { url } = (await owner.call('agents/connect', params)).body['data'];
    return { owner, device, opened: await openSessionLink(service, url) };
  }

  test('a device is told to start, with a target of its own, and to stop', async () => {
    const { owner, device, opened } = await fixture(2, false);
    await using _device = device;

    const [on, off] = [await switchTo(service, opened, true), await switchTo(service, opened, false)];

    assert.deepEqual([opened.record, opened.may_record, on.http, off.http], [false, true, 200, 200]);
    const inputs = device.commands.filter(({ name }) => name === 'session_record').map(({ input }) => input);
    assert.deepEqual(
      inputs.map(({ session, record }) => [session, Object.keys(record ?? {})]),
      [
        [opened.session, ['url', 'token', 'key']],
        [opened.session, []],
      ],
    );
    const lines = (await owner.call('audit/list', { operation: 'session/record' })).body['data'];
    assert.deepEqual(
      lines.map(({ input, outcome }: { input: { on: boolean }; outcome: string }) => [input.on, outcome]),
      [
        [false, 'done'],
        [true, 'done'],
      ],
    );
  });

  test('a recording that is required cannot be stopped, and nobody without the secret starts one', async () => {
    const { device, opened } = await fixture(2, true);
    await using _device = device;

    assert.equal(opened.may_record, false);
    assert.deepEqual(readRefusal(await switchTo(service, opened, false)), [403, 'forbidden']);
    assert.deepEqual(readRefusal(await switchTo(service, { ...opened, secret: 'x' }, true)), [404, 'ended']);
    assert.deepEqual(
      device.commands.filter(({ name }) => name === 'session_record'),
      [],
    );
  });

  test('an agent that is too old says so', async () => {
    const { device, opened } = await fixture(1, undefined);
    await using _device = device;

    const answer = await switchTo(service, opened, true);

    assert.deepEqual(readRefusal(answer), [409, 'refused']);
    assert.match(answer.text, /update it/);
  });
});

const skip = skipWithout('Xvfb') || skipWithout('programs of a desktop');

test(
  'a recording is started and stopped during a session, both sides see it, and it can be played',
  { skip },
  async () => {
    await using service = await startService({ realTime: true });
    await using display = await startDisplay(1_280, 400);
    const { owner } = await service.account();
    await using agent = startAgent({
      server: service.testClient.baseUrl,
      token: await createEnrolToken(owner),
      machine: createFakePlatform('desk', { desktop: openDesktop }),
    });
    const [device] = await eventually(
      async () => (await owner.call('agents/list', {})).body['data'] as { id: number; online: boolean }[],
      ([first]) => first?.online === true,
    );
    await using watched = await openWatchedSession(service, owner, device!.id, false);
    const { operator, opened } = watched;
    await watched.quiet();
    const usual = await findWindow('Drawbridge');

    await switchTo(service, opened, true);
    await operator.until('state', ({ recording }) => recording);
    const wider = await eventually(
      () => findWindow('Drawbridge'),
      ({ width }) => width > usual.width,
    );
    display.paint({ x: 10, y: 200, width: 100, height: 80 }, 0xff0000);
    await watched.quiet();
    await switchTo(service, opened, false);
    await eventually(
      async () => operator.messages('state').at(-1)!,
      ({ recording }) => !recording,
    );
    await eventually(
      () => findWindow('Drawbridge'),
      ({ width }) => width === usual.width,
    );
    await operator[Symbol.asyncDispose]();

    const { video } = await eventually(
      () => findLastVideo(owner),
      (found) => found.video !== undefined,
    );
    assert.ok(wider.width > usual.width && video!.size > 0);
    assert.deepEqual(
      agent.lines.filter((line) => /fail|error/i.test(line)),
      [],
    );
  },
);
