/** A call with an operator. The person decides whether to answer, and the microphone is open only during the call. */
import { openVoiceAudio, type VoiceAudio } from '../ui/voice-audio.ts';
import type { ConnectedOperator } from './connected-operators.ts';
import { joinTexts } from './texts.ts';

export interface VoiceCall {
  readonly operator: ConnectedOperator | undefined;
  readonly isMuted: boolean;
  addOperator(operator: ConnectedOperator): void;
  mute(isMuted: boolean): void;
  hangUp(): void;
  /** Ends the call of an operator who has left. */
  removeOperator(operator: ConnectedOperator): void;
}

export interface VoiceCallOptions {
  /** Asks the person whether to answer; the signal withdraws the question. */
  ask(operator: ConnectedOperator, signal: AbortSignal): Promise<boolean>;
  changed(): void;
}

interface CallState {
  options: VoiceCallOptions;
  talking: { operator: ConnectedOperator; audio: VoiceAudio; isMuted: boolean } | undefined;
  ringing: { operator: ConnectedOperator; end: AbortController } | undefined;
}

export function createVoiceCall(options: VoiceCallOptions): VoiceCall {
  const state: CallState = { options, talking: undefined, ringing: undefined };
  return {
    get operator() {
      return state.talking?.operator;
    },
    get isMuted() {
      return state.talking?.isMuted ?? false;
    },
    addOperator: (operator) => addOperator(state, operator),
    mute: (isMuted) => mute(state, isMuted),
    hangUp: () => hangUp(state),
    removeOperator: (operator) => close(state, operator),
  };
}

function addOperator(state: CallState, operator: ConnectedOperator): void {
  operator.session.on('call', (message) => {
    if (message.do === 'ring') void ring(state, operator);
    if (message.do === 'hang_up' || message.do === 'decline') close(state, operator);
  });
  operator.session.on('voice', ({ data }) => {
    if (state.talking?.operator === operator) state.talking.audio.play(data);
  });
}

async function ring(state: CallState, operator: ConnectedOperator): Promise<void> {
  const { options } = state;
  if (state.talking || state.ringing) return decline(operator, joinTexts.call.busy);
  const end = new AbortController();
  state.ringing = { operator, end };
  const isAccepted = await options.ask(operator, end.signal);
  const audio = isAccepted && !end.signal.aborted ? await openAudio(operator) : undefined;
  if (end.signal.aborted) return audio?.close();
  state.ringing = undefined;
  if (!audio) return decline(operator, isAccepted ? joinTexts.call.noMicrophone : joinTexts.call.declined);
  state.talking = { operator, audio, isMuted: false };
  operator.session.send('call', { do: 'accept' });
  options.changed();
}

function decline({ session }: ConnectedOperator, message: string): void {
  session.send('call', { do: 'decline', message });
}

function close(state: CallState, operator: ConnectedOperator): void {
  const { options, ringing, talking } = state;
  if (ringing?.operator === operator) {
    state.ringing = undefined;
    ringing.end.abort();
  }
  if (talking?.operator !== operator) return;
  talking.audio.close();
  state.talking = undefined;
  options.changed();
}

function mute({ talking, options }: CallState, isMuted: boolean): void {
  if (!talking) return;
  talking.isMuted = isMuted;
  talking.audio.mute(isMuted);
  options.changed();
}

function hangUp(state: CallState): void {
  const { talking } = state;
  if (!talking) return;
  talking.operator.session.send('call', { do: 'hang_up' });
  close(state, talking.operator);
}

async function openAudio({ session }: ConnectedOperator): Promise<VoiceAudio | undefined> {
  let at = 0;
  return openVoiceAudio((data) => {
    session.send('voice', { id: 0, at, data });
    at += data.length;
  }).catch(() => undefined);
}
