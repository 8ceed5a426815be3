/**
 * The question to the person at the device under attack: only that person can answer it, and no session data
 * flows before.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeNumber, encodePointer, decodeNumber } from '@drawbridge/contract/session/binary-frames';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { consentSeconds } from '@drawbridge/agent/session/consent';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { chatFeature } from '@drawbridge/agent/session/features/chat';
import { controlFeature } from '@drawbridge/agent/session/features/control';
import { screenFeature } from '@drawbridge/agent/session/features/screen';
import { createSeededRandom } from '../../fuzz/seeded-random.ts';
import { answerOnDisplay, answerButtonPoint } from '../../kit/display/answer-on-display.ts';
import { clickOnDisplay, findWindow, runOnDisplay } from '../../kit/display/desktop-programs.ts';
import { openDirectChannel } from '../../kit/session/direct-channel.ts';
import { openDisplaySockets } from '../../kit/display/display-sockets.ts';
import { sendXRequest, startDisplay, type TestDisplay } from '../../kit/display/display.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { makePayload, operatorKinds } from '../../kit/session/operator-payloads.ts';
import type { Operator } from '../../kit/session/operator.ts';
import { eventually } from '../../kit/eventually.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';
import { createPermissionProbe } from '../../kit/session/permission-probe.ts';

const skip = skipWithout('Xvfb') || skipWithout('programs of a desktop');
const platform = () => createFakePlatform('desk', { desktop: openDesktop });
const phasesOf = (operator: Operator): string[] => operator.messages('state').map(({ phase }) => phase);

/**
 * The position of the button to agree on a screen of this size: it is always the same, and an operator knows
 * it.
 */
async function allowOn(size: { width: number; height: number }): Promise<{ x: number; y: number }> {
  await using _display = await startDisplay(size.width, size.height);
  await using fixture = await openSessionFixture({ platform: platform(), parts: [controlFeature] });
  await using _somebody = fixture.meet({ confirm: true });
  return await answerButtonPoint('Allow');
}

test(
  'an operator with mouse and keyboard cannot answer for the person, not even with input sent before the question, and no answer means no',
  { skip },
  async () => {
    const size = { width: 1_000, height: 700 };
    const allow = await allowOn(size);
    await using display = await startDisplay(size.width, size.height);
    await using fixture = await openSessionFixture({
      platform: platform(),
      parts: [screenFeature, controlFeature],
    });
    await using ann = fixture.meet({ name: 'ann' });
    await ann.until('layout');
    const press = (): void => {
      for (const buttons of [0, 1, 0]) ann.send('pointer', encodePointer({ ...allow, buttons }));
    };
    // Characters that no key has take time to type: what follows them is still pending when the question
    // appears.
    const slow = (from: number): string =>
      String.fromCodePoint(...Array.from({ length: 25 }, (_, index) => 0x4e00 + from + index));

    for (let turn = 0; turn < 12; turn += 1) {
      ann.sendMessage('text', { text: slow(25 * turn) });
      press();
    }
    await using bob = fixture.meet({ name: 'bob', confirm: true });
    await bob.until('state');
    press();
    ann.sendMessage('drive', { to: 'me' });
    ann.sendMessage('resize', { width: 640, height: 480 });
    press();
    const refused = await eventually(
      () => {
        // An operator that sends nothing for long is considered gone.
        for (const each of [ann, bob]) each.send('ping', encodeNumber(1));
        return bob.messages('state').at(-1)!;
      },
      ({ phase }) => phase !== 'asking',
      2_000 * consentSeconds,
    );

    assert.deepEqual(
      [refused.phase, refused.message],
      ['refused', 'The person at the device did not agree.'],
    );
    assert.deepEqual(
      bob.received.map(({ kind }) => kind).filter((kind) => !['state', 'end', 'pong'].includes(kind)),
      [],
    );
    const refusals = ann.messages('refused').map(({ kind, message }) => `${kind}: ${message}`);
    for (const kind of ['pointer', 'resize'])
      assert.ok(refusals.includes(`${kind}: The person at the device is being asked a question.`), kind);
    const { client, root, call } = display.connection;
    const now = await call<{ width: number }>((done) => client.GetGeometry(root, done));
    assert.equal(now.width, size.width);
  },
);

/**
 * A window over all others that lets clicks through: anyone who presses what they read there presses what is
 * below.
 */
async function layOver(display: TestDisplay): Promise<{ raise(): Promise<void>; remove(): void }> {
  const { client, root, call } = display.connection;
  const shape = await call<{ majorOpcode: number }>((done) => client.QueryExtension('SHAPE', done as never));
  const window = client.AllocID();
  client.CreateWindow(window, root, 0, 0, 1_000, 700, 0, 0, 0, 0, {
    backgroundPixel: 0xffffff,
    overrideRedirect: true,
  });
  const [rectangles, ofInput] = [1, 2];
  sendXRequest(display.connection, { major: shape.majorOpcode, minor: rectangles }, [
    ofInput << 8,
    window,
    0,
  ]);
  client.MapWindow(window);
  return {
    async raise() {
      client.RaiseWindow(window);
      await display.done();
    },
    remove: () => client.DestroyWindow(window),
  };
}

test('a question covered by another window is not answered by a click through it', { skip }, async () => {
  await using display = await startDisplay(1_000, 700);
  await using fixture = await openSessionFixture({ platform: platform(), parts: [controlFeature] });
  await using ann = fixture.meet({ confirm: true });
  const { x, y } = await answerButtonPoint('Allow');
  const cover = await layOver(display);

  for (let times = 0; times < 20; times += 1) {
    await cover.raise();
    await clickOnDisplay(x, y);
  }
  const covered = phasesOf(ann);
  cover.remove();
  await answerOnDisplay('Allow', () => phasesOf(ann).includes('live'));

  assert.deepEqual(covered, ['asking']);
});

test('a synthetic press by a program does not answer the question', { skip }, async () => {
  await using _display = await startDisplay(1_000, 700);
  await using fixture = await openSessionFixture({ platform: platform(), parts: [controlFeature] });
  await using ann = fixture.meet({ confirm: true });
  const { x, y } = await answerButtonPoint('Allow');
  const id = (await runOnDisplay('xdotool', 'search', '--name', '^Drawbridge request$')).trim();

  await runOnDisplay('xdotool', 'mousemove', `${x}`, `${y}`);
  // With a window named, the press is sent there as an event.
  for (let times = 0; times < 40; times += 1) await runOnDisplay('xdotool', 'click', '--window', id, '1');
  const after = phasesOf(ann);
  await answerOnDisplay('Decline', () => phasesOf(ann).length > 1);

  assert.deepEqual([after, phasesOf(ann)], [['asking'], ['asking', 'refused']]);
});

test(
  'two simultaneous questions are asked one after the other, and each answer applies to one operator',
  { skip },
  async () => {
    await using _display = await startDisplay(640, 480);
    await using fixture = await openSessionFixture({
      platform: platform(),
      parts: [controlFeature, chatFeature],
    });
    await using ann = fixture.meet({ name: 'ann' });
    await ann.until('people');
    // Its window overlaps the question on a screen this small.
    ann.sendMessage('chat', { text: 'Press Allow, please.', name: 'ann' });
    await findWindow('Drawbridge chat');
    await using bob = fixture.meet({ name: 'bob', confirm: true });
    await bob.until('state');
    await answerButtonPoint('Allow');
    await using cleo = fixture.meet({ name: 'cleo', confirm: true });
    await cleo.until('state');
    const questions = await runOnDisplay('xdotool', 'search', '--name', '^Drawbridge request$');

    await answerOnDisplay('Allow', () => phasesOf(bob).length + phasesOf(cleo).length > 2);
    const first = [phasesOf(bob), phasesOf(cleo)];
    await answerOnDisplay('Decline', () => phasesOf(cleo).length > 1);

    assert.equal(questions.trim().split('\n').length, 1, 'questions on the screen at once');
    assert.deepEqual(first, [['asking', 'live'], ['asking']]);
    assert.deepEqual(
      [phasesOf(bob), phasesOf(cleo)],
      [
        ['asking', 'live'],
        ['asking', 'refused'],
      ],
    );
  },
);

test(
  'consent on one display does not hold for the next login: the session ends with the display',
  { skip },
  async () => {
    using sockets = openDisplaySockets();
    await using fixture = await openSessionFixture({
      platform: platform(),
      parts: [screenFeature, controlFeature],
    });
    await using first = await startDisplay(1_000, 700);
    sockets.add(first, 0);
    await using ann = fixture.meet({ name: 'ann', confirm: true });
    const { x, y } = await answerButtonPoint('Allow', first.name);
    await eventually(
      async () => {
        if (!phasesOf(ann).includes('live')) await clickOnDisplay(x, y, first.name);
        return phasesOf(ann);
      },
      (phases) => phases.includes('live'),
    );
    await ann.until('layout');
    await using second = await startDisplay(900, 600);
    sockets.add(second, 1);

    sockets.remove(0);
    await first.stop();
    const end = await ann.until('end');
    await ann.gone;

    assert.deepEqual([end.by, end.message], ['device', 'The desktop on which the person agreed was closed.']);
    assert.deepEqual(
      ann.messages('layout').map(({ width }) => width),
      [1_000],
    );
  },
);

/** A device that can do everything, and a person who has not answered yet. */
function unanswered() {
  const { platform: machine, touched } = createPermissionProbe();
  const asked: PromiseWithResolvers<boolean>[] = [];
  const ask = (): Promise<boolean> => {
    asked.push(Promise.withResolvers());
    return asked.at(-1)!.promise;
  };
  const desktop = async () => ({ ...(await machine.desktop()), ask });
  return { asked, touched, platform: { ...machine, desktop } };
}

const isIdle = (kind: FrameKindName): boolean => ['state', 'refused', 'pong', 'direct', 'end'].includes(kind);

/** Sends everything that an operator can send, and waits until all of it was received. */
async function sayEverything(operator: Operator): Promise<void> {
  const random = createSeededRandom(815);
  for (let round = 0; round < 5; round += 1)
    for (const kind of operatorKinds) operator.send(kind, makePayload(kind, random));
  operator.send('ping', encodeNumber(0xffff_ffff));
  await eventually(
    () =>
      operator.received.some(({ kind, payload }) => kind === 'pong' && decodeNumber(payload) === 0xffff_ffff),
    Boolean,
  );
}

for (const transport of ['relay', 'direct'] as const)
  test(`over the ${transport} nothing is done or disclosed before the person has agreed, nor after a refusal, nor when the operator resumes`, async () => {
    const { asked, touched, platform: device } = unanswered();
    await using fixture = await openSessionFixture({ platform: device });
    await using ann = fixture.meet({ session: 5, name: 'ann', confirm: true, grant: { ice: [] } });
    await ann.until('state');
    using direct = transport === 'direct' ? await openDirectChannel(ann) : undefined;
    direct?.move();

    await sayEverything(ann);
    const before = [...touched];
    asked[0]!.resolve(false);
    await ann.until('end');
    await using again = fixture.meet({ session: 5, name: 'ann', confirm: true });
    await again.until('state');
    await sayEverything(again);
    const back = [...touched];
    // Another operator whom the person admits changes nothing for the one who still waits.
    await using bob = fixture.meet({ session: 6, name: 'bob', confirm: false });
    await bob.until('people');
    await sayEverything(again);

    assert.deepEqual([before, back, phasesOf(again), asked.length], [[], [], ['asking'], 2]);
    assert.deepEqual(
      [ann, again]
        .flatMap(({ received }) => received.map(({ kind }) => kind))
        .filter((kind) => !isIdle(kind)),
      [],
    );
    asked[1]!.resolve(false);
    await again.until('end');
    assert.deepEqual(
      [...touched].filter((permission) => permission !== 'agent_connect'),
      [],
    );
  });
