/** The call with an operator: it rings, the person decides, and the microphone is open only while both talk. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { openVoiceAudio, type VoiceAudio } from '../ui/voice-audio.ts';
import type { ConnectedOperator } from './connected-operators.ts';
import { joinTexts } from './texts.ts';

export interface VoiceCall {
  readonly operator: ConnectedOperator | undefined;
  readonly isMuted: boolean;
  addOperator(operator: ConnectedOperator): void;
  mute(isMuted: boolean): void;
  hangUp(): void;
  /** The operator is gone. */
  removeOperator(operator: ConnectedOperator): void;
}

export interface VoiceCallOptions {
  /** Asks the person whether to talk; the signal takes the question back. */
  ask(operator: ConnectedOperator, signal: AbortSignal): Promise<boolean>;
  changed(): void;
}

export function createVoiceCall({ ask, changed }: VoiceCallOptions): VoiceCall {
  let talking: { operator: ConnectedOperator; audio: VoiceAudio; isMuted: boolean } | undefined;
  let ringing: { operator: ConnectedOperator; end: AbortController } | undefined;

  const say = ({ session }: ConnectedOperator, word: SessionMessage<'call'>): boolean =>
    session.send('call', word);
  const close = (operator: ConnectedOperator): void => {
    if (ringing?.operator === operator) ringing.end.abort();
    if (talking?.operator !== operator) return;
    talking.audio.close();
    talking = undefined;
    changed();
  };
  const ring = async (operator: ConnectedOperator): Promise<void> => {
    if (talking || ringing) return void say(operator, { do: 'decline', message: joinTexts.call.busy });
    const end = new AbortController();
    ringing = { operator, end };
    const isTaken = await ask(operator, end.signal);
    const audio = isTaken && !end.signal.aborted ? await openAudio(operator) : undefined;
    ringing = undefined;
    if (end.signal.aborted) return audio?.close();
    if (!audio)
      return void say(operator, {
        do: 'decline',
        message: isTaken ? joinTexts.call.noMicrophone : joinTexts.call.declined,
      });
    talking = { operator, audio, isMuted: false };
    say(operator, { do: 'accept' });
    changed();
  };

  return {
    get operator() {
      return talking?.operator;
    },
    get isMuted() {
      return talking?.isMuted ?? false;
    },
    addOperator(operator) {
      operator.session.on('call', (word) => {
        if (word.do === 'ring') void ring(operator);
        if (word.do === 'hang_up' || word.do === 'decline') close(operator);
      });
      operator.session.on('voice', ({ data }) => {
        if (talking?.operator === operator) talking.audio.play(data);
      });
    },
    mute(isMuted) {
      if (!talking) return;
      talking.isMuted = isMuted;
      talking.audio.mute(isMuted);
      changed();
    },
    hangUp() {
      if (!talking) return;
      say(talking.operator, { do: 'hang_up' });
      close(talking.operator);
    },
    removeOperator: close,
  };
}

async function openAudio({ session }: ConnectedOperator): Promise<VoiceAudio | undefined> {
  let at = 0;
  return openVoiceAudio((data) => {
    session.send('voice', { id: 0, at, data });
    at += data.length;
  }).catch(() => undefined);
}
