/** The sound of the device: what is played there reaches the operator who asked for it, and nobody else. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultPolicy } from '@drawbridge/contract/policy';
import { sound as format } from '@drawbridge/contract/session/sound';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import type { DeviceSound } from '@drawbridge/agent/platform/device-sound';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { soundFeature } from '@drawbridge/agent/session/features/sound';
import { createFakeFeatureContext } from '../../kit/agent/fake-feature-context.ts';
import { eventually } from '../../kit/eventually.ts';

const packetBytes = format.packetSamples * format.channels * 2;

/** A device whose sound the test makes. */
function start({ agrees = true, whyNoBanner = '' } = {}) {
  const events: string[] = [];
  const questions: string[] = [];
  let [play, end] = [(_samples: Uint8Array): void => {}, (): void => {}];
  const sound: DeviceSound = {
    onData: (listener) => void (play = listener),
    onEnd: (listener) => void (end = listener),
    close: () => void events.push('closed'),
  };
  let leave = (_why?: string): void => {};
  const desktop = {
    ask: async (question: string) => questions.push(question) > 0 && agrees,
    onClose: (listener: typeof leave) => void (leave = listener),
    close: () => {},
  };
  const context = Object.assign(
    createFakeFeatureContext({
      desktop: async () => desktop as Partial<Desktop> as Desktop,
      sound: async () => (events.push('opened'), sound),
    }),
    {
      async showNotice(line: string) {
        events.push(line);
        return { leave: () => void events.push('no line'), ...(whyNoBanner && { whyNot: whyNoBanner }) };
      },
    },
  );
  const feature = soundFeature(context);
  const turn = async (on: boolean): Promise<void> => feature.handlers.sound!({ on });
  return {
    context,
    feature,
    turn,
    events,
    questions,
    play: (samples: Uint8Array) => play(samples),
    end: () => end(),
    leave: (why: string) => leave(why),
  };
}

const line = 'ann@example.com hears the sound of this computer';
const loud = new Uint8Array(packetBytes).fill(77);
const silent = new Uint8Array(packetBytes);

describe('the sound of the device', () => {
  test('is sent from when the operator turns it on until they turn it off, with a line in the banner', async () => {
    const { context, turn, events, play } = start();
    await turn(true);
    play(loud);
    await turn(false);
    play(loud);

    assert.deepEqual(events, [line, 'opened', 'closed', 'no line']);
    assert.deepEqual(context.messages('sound'), [{ on: true }, { on: false }]);
    assert.equal(context.pieces('sound_bytes').length, 1);
  });

  test('is opened once, and ends with the session', async () => {
    const { turn, events, feature } = start();
    await Promise.all([turn(true), turn(true)]);
    await turn(true);
    await feature.stop();

    assert.deepEqual(events, [line, 'opened', 'closed', 'no line']);
  });

  test('is not opened if the policy forbids it, and ends when the policy does', async () => {
    const { context, feature, turn, events, play } = start();
    context.policy = { ...defaultPolicy, sound: 'off' };
    await assert.rejects(turn(true), /policy of this device does not allow/);
    assert.deepEqual(events, []);
    context.policy = defaultPolicy;
    await turn(true);
    context.policy = { ...defaultPolicy, sound: 'off' };
    feature.policyChanged!();
    play(loud);

    assert.deepEqual(events, [line, 'opened', 'closed', 'no line']);
    assert.match(context.messages('sound').at(-1)!.message!, /policy of this device does not allow/);
    assert.equal(context.pieces('sound_bytes').length, 0);
  });

  test('needs the agreement of a person who was asked before the session', async () => {
    const refusing = start({ agrees: false });
    refusing.context.isConfirmed = true;
    await assert.rejects(refusing.turn(true), /did not agree/);
    const agreeing = start();
    agreeing.context.isConfirmed = true;
    await agreeing.turn(true);

    assert.deepEqual(refusing.events, []);
    assert.deepEqual(agreeing.questions, ['ann@example.com wants to hear the sound of this computer']);
    assert.deepEqual(agreeing.events, [line, 'opened']);
  });

  test('is not opened while nobody can see the line in the banner', async () => {
    const { turn, events } = start({ whyNoBanner: 'Nobody is logged in.' });

    await assert.rejects(turn(true), new NotPossible('Nobody is logged in.'));
    assert.deepEqual(events, [line, 'no line']);
  });

  test('is closed if it was turned off while it was opened, and the operator is told when it ends by itself', async () => {
    const { context, turn, events, end } = start();
    const opening = turn(true);
    await turn(false);
    await opening;
    assert.equal(
      events.filter((each) => each === 'opened').length,
      events.filter((each) => each === 'closed').length,
    );
    await turn(true);
    end();

    assert.deepEqual(context.messages('sound').at(-1), {
      on: false,
      message: 'The sound of the device has ended.',
    });
  });

  test('ends when another person takes over the screen, because the banner with its line is gone', async () => {
    const { context, turn, events, play, leave } = start();
    await turn(true);
    leave('Another person is in front.');
    play(loud);

    assert.deepEqual(events, [line, 'opened', 'closed', 'no line']);
    assert.deepEqual(context.messages('sound').at(-1), {
      on: false,
      message: 'Another person is in front. The sound of the device has ended.',
    });
    assert.equal(context.pieces('sound_bytes').length, 0);
  });

  test('is opened once at a time, however quickly the operator turns it on and off', async () => {
    const { context, turn, events } = start();
    const { sound } = context.platform;
    const started = Promise.withResolvers<void>();
    context.platform.sound = async () => {
      const opened = await sound();
      await started.promise;
      return opened;
    };
    const first = turn(true);
    await eventually(
      () => events.length,
      (count) => count === 2,
    );
    const presses = Array.from({ length: 100 }, () => [turn(false), turn(true)]).flat();
    started.resolve();
    await Promise.all([first, ...presses]);

    assert.deepEqual(events, [line, 'opened', 'closed', 'no line', line, 'opened']);
    assert.deepEqual(context.messages('sound').at(-1), { on: true });
  });

  test('is no longer asked about once the operator has turned it off', async () => {
    const { context, turn, events } = start();
    context.isConfirmed = true;
    const asked = Promise.withResolvers<AbortSignal>();
    context.ask = (_question, _seconds, signal) => {
      asked.resolve(signal!);
      return new Promise((resolve) => signal!.addEventListener('abort', () => resolve(false)));
    };
    const opening = turn(true);
    const { aborted: wasAborted } = await asked.promise;
    await turn(false);
    await opening;

    assert.deepEqual([wasAborted, events], [false, []]);
    assert.deepEqual(context.messages('sound'), [{ on: false }]);
  });

  test('is sent without long silence, and not sent on a connection that has been full for 200 ms', async () => {
    const { context, turn, play } = start();
    await turn(true);
    for (const samples of [silent, silent, loud, ...Array.from({ length: 5 }, () => silent), loud])
      play(samples);
    assert.deepEqual(
      context.pieces('sound_bytes').map(({ at }) => at / format.packetSamples),
      [2, 3, 4, 5, 8],
    );
    context.buffered = () => 1_000_000;
    for (let count = 0; count < 50; count += 1) play(loud);
    context.buffered = () => 0;
    play(loud);

    assert.equal(context.pieces('sound_bytes').length, 5 + 10 + 1);
  });
});
