/** The call: the person at the device is asked, then both hear each other until one hangs up. */
import { encodeDataChunk, decodeDataChunk } from '@drawbridge/contract/session/binary-frames';
import { voice as format } from '@drawbridge/contract/session/voice';
import { decodeMessage, encodeMessage, type SessionMessage } from '@drawbridge/contract/session/messages';
import { NotPossible } from '../../platform/platform.ts';
import type { Voice } from '../../platform/voice.ts';
import { malformed } from '../malformed-frame.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';

const ringSeconds = 30;

export const voiceFeature: FeatureFactory = (context) => {
  let audio: Voice | undefined;
  let ringing = false;
  let over = false;
  const say = (word: SessionMessage<'call'>): void => context.send('call', encodeMessage('call', word));
  const hangUp = (): void => {
    audio?.close();
    audio = undefined;
  };

  async function ring(): Promise<void> {
    if (audio || ringing) return;
    ringing = true;
    const answer = await askAndOpen(context).finally(() => (ringing = false));
    if ('refused' in answer) return over ? undefined : say({ do: 'decline', message: answer.refused });
    if (over) return answer.audio.close();
    audio = answer.audio;
    streamMicrophone(context, audio, () => {
      if (audio !== answer.audio) return;
      hangUp();
      say({ do: 'hang_up' });
    });
    say({ do: 'accept' });
  }

  const callHandlers: Record<SessionMessage<'call'>['do'], () => void | Promise<void>> = {
    ring,
    accept: () => {},
    decline: hangUp,
    hang_up: hangUp,
  };

  return {
    handlers: {
      call: (payload) => callHandlers[(decodeMessage('call', payload) ?? malformed('call')).do](),
      voice(payload) {
        const { data } = decodeDataChunk(payload) ?? malformed('voice');
        audio?.play(data);
      },
    },
    stop() {
      over = true;
      hangUp();
    },
  };
};

/** Asks the person, and opens microphone and loudspeaker only then. */
async function askAndOpen(context: FeatureContext): Promise<{ audio: Voice } | { refused: string }> {
  try {
    const isTaken = await context.ask(
      `${context.operator.name} is calling you. Do you want to answer?`,
      ringSeconds,
    );
    return isTaken ? { audio: await context.platform.voice() } : { refused: 'The call was not answered.' };
  } catch (error) {
    return { refused: error instanceof NotPossible ? error.message : 'The device cannot make calls.' };
  }
}

/** Sends what the microphone hears in pieces of 20 ms; while the line is slow, words fall rather than come late. */
function streamMicrophone(context: FeatureContext, audio: Voice, onEnd: () => void): void {
  let kept = Buffer.alloc(0);
  let at = 0;
  audio.onEnd(onEnd);
  audio.onData((samples) => {
    kept = Buffer.concat([kept, samples]);
    for (
      ;
      kept.length >= format.packetBytes;
      kept = kept.subarray(format.packetBytes), at += format.packetBytes
    )
      if (context.buffered() < format.maxLagBytes)
        context.send('voice', encodeDataChunk({ id: 0, at, data: kept.subarray(0, format.packetBytes) }));
  });
}
