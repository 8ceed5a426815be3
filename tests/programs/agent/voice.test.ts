/** Calls: the person at the device is asked, and each side hears the other. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { voice as format } from '@drawbridge/contract/session/voice';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { openVoice } from '@drawbridge/agent/platform/linux/sound/voice';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { voiceFeature } from '@drawbridge/agent/session/features/voice';
import { eventually } from '../../kit/eventually.ts';
import { createFakeFeatureContext } from '../../kit/agent/fake-feature-context.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { startSound } from '../../kit/display/sound.ts';

function start(takes: boolean, open = openVoice) {
  const questions: string[] = [];
  const desktop = { ask: async (question: string) => questions.push(question) > 0 && takes, close() {} };
  const featureContext = createFakeFeatureContext({
    desktop: async () => desktop as Partial<Desktop> as Desktop,
    voice: open,
  });
  const part = voiceFeature(featureContext);
  const call = async (action: SessionMessage<'call'>['do']) => part.handlers.call!({ do: action });
  return { featureContext, part, call, questions };
}

/** A tone of 440 Hz, as a voice would be. */
const tone = (at: number): Buffer => {
  const samples = new Int16Array(format.packetBytes / 2);
  for (let index = 0; index < samples.length; index += 1)
    samples[index] = 8_000 * Math.sin(((at / 2 + index) * 2 * Math.PI * 440) / format.rate);
  return Buffer.from(samples.buffer);
};

const loudest = (data: Uint8Array): number =>
  Math.max(...new Int16Array(Uint8Array.from(data).buffer).map((sample) => Math.abs(sample)));

describe('a call in a session', () => {
  test(
    'plays what the operator says on the loudspeaker and sends what the microphone records',
    {
      skip: skipWithout('PulseAudio'),
    },
    async () => {
      await using sound = await startSound();
      Object.assign(process.env, sound.env);
      const { featureContext, part, call, questions } = start(true);
      await call('ring');
      assert.deepEqual(featureContext.messages('call'), [{ do: 'accept' }]);
      assert.deepEqual(questions, ['ann@example.com is calling you. Do you want to answer?']);
      let at = 0;
      const speaking = setInterval(() => {
        void part.handlers.voice!({ id: 0, at, data: tone(at) });
        at += format.packetBytes;
      }, 20);
      await eventually(
        async () => featureContext.pieces('voice').some(({ data }) => loudest(data) > 4_000),
        Boolean,
      );
      clearInterval(speaking);
      assert.ok(
        featureContext.pieces('voice').every((piece, index) => piece.at === index * format.packetBytes),
      );
      await call('hang_up');
      await part.stop();
      delete process.env['PULSE_SERVER'];
    },
  );

  test('opens no microphone if it is not accepted', async () => {
    const { featureContext, call } = start(false, () => assert.fail('the microphone was opened'));
    await call('ring');
    assert.deepEqual(featureContext.messages('call'), [
      { do: 'decline', message: 'The call was not answered.' },
    ]);
  });

  test('a device without sound says so', async () => {
    const { featureContext, call } = start(true, async () => {
      throw new NotPossible('There is no microphone.');
    });
    await call('ring');
    assert.deepEqual(featureContext.messages('call'), [
      { do: 'decline', message: 'There is no microphone.' },
    ]);
  });
});
