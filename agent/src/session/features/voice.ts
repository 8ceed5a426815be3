/** Voice calls: the person at the device is asked, then both sides hear each other until one hangs up. */
import { voice as format } from '@drawbridge/contract/session/voice';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { NotPossible } from '../../platform/platform.ts';
import type { Voice } from '../../platform/voice.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';

const ringSeconds = 30;

interface State {
  context: FeatureContext;
  /** Open during a call. */
  audio: Voice | undefined;
  isRinging: boolean;
  isStopped: boolean;
}

const callHandlers: Record<SessionMessage<'call'>['do'], (state: State) => void | Promise<void>> = {
  ring,
  accept: () => {},
  decline: hangUp,
  hang_up: hangUp,
};

export const voiceFeature: FeatureFactory = (context) => {
  const state: State = { context, audio: undefined, isRinging: false, isStopped: false };
  return {
    handlers: {
      call: (payload) => callHandlers[payload.do](state),
      voice(payload) {
        const { data } = payload;
        state.audio?.play(data);
      },
    },
    stop() {
      state.isStopped = true;
      hangUp(state);
    },
  };
};

async function ring(state: State): Promise<void> {
  const { context } = state;
  if (state.audio || state.isRinging) return;
  state.isRinging = true;
  const answer = await askAndOpen(context).finally(() => (state.isRinging = false));
  if ('refused' in answer)
    return state.isStopped ? undefined : sendCall(context, { do: 'decline', message: answer.refused });
  if (state.isStopped) return answer.audio.close();
  state.audio = answer.audio;
  streamMicrophone(context, answer.audio, () => {
    if (state.audio !== answer.audio) return;
    hangUp(state);
    sendCall(context, { do: 'hang_up' });
  });
  sendCall(context, { do: 'accept' });
}

function hangUp(state: State): void {
  state.audio?.close();
  state.audio = undefined;
}

const sendCall = (context: FeatureContext, message: SessionMessage<'call'>): void =>
  context.send('call', message);

/** Asks the person, and opens microphone and loudspeaker only after they agree. */
async function askAndOpen(context: FeatureContext): Promise<{ audio: Voice } | { refused: string }> {
  try {
    const isAccepted = await context.ask(
      `${context.operator.name} is calling you. Do you want to answer?`,
      ringSeconds,
    );
    return isAccepted ? { audio: await context.platform.voice() } : { refused: 'The call was not answered.' };
  } catch (error) {
    return { refused: error instanceof NotPossible ? error.message : 'The device cannot make calls.' };
  }
}

/** Sends microphone audio in packets of 20 ms. On a slow connection packets are dropped instead of delayed. */
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
        context.send('voice', { id: 0, at, data: kept.subarray(0, format.packetBytes) });
  });
}
