/** The voice panel: a call with the person at the device. The call continues while the panel is closed. */
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { button } from '../../ui/button.ts';
import { element, fill } from '../../ui/element.ts';
import { openVoiceAudio, type VoiceAudio } from '../../ui/voice-audio.ts';
import type { ConsolePanel } from './console-panel.ts';
import { consolePanelTexts } from './texts.ts';

const { voice: texts } = consolePanelTexts;

interface VoiceState {
  phase: 'idle' | 'ringing' | 'talking';
  /** Counts the calls: what an earlier one still waits for does not concern the current one. */
  call: number;
  message: string;
  audio: VoiceAudio | undefined;
  muted: boolean;
  /** Redraws while the panel is open. */
  onChanged(): void;
}

export function createVoicePanel(): ConsolePanel {
  const state: VoiceState = {
    phase: 'idle',
    call: 0,
    message: texts.idle,
    audio: undefined,
    muted: false,
    onChanged: () => {},
  };
  return {
    id: 'voice',
    title: texts.title,
    icon: 'voice',
    kind: 'call',
    subscribe: (session) => subscribe(state, session),
    open(container, session) {
      state.onChanged = () => draw(state, container, session);
      state.onChanged();
      return () => (state.onChanged = () => {});
    },
  };
}

function subscribe(state: VoiceState, session: RemoteSession): void {
  session.on('call', (call) => {
    if (call.do === 'accept' && state.phase === 'ringing') void startTalking(state, session);
    if (call.do === 'decline') setPhase(state, 'idle', texts.declined(call.message ?? ''));
    if (call.do === 'hang_up') setPhase(state, 'idle', texts.ended);
  });
  session.on('voice', ({ data }) => state.audio?.play(data));
  session.onChange(() => {
    if (session.state.phase !== 'live' && state.phase !== 'idle') setPhase(state, 'idle', texts.ended);
  });
}

function setPhase(state: VoiceState, phase: VoiceState['phase'], message: string): void {
  state.phase = phase;
  state.message = message;
  if (phase !== 'talking') {
    state.audio?.close();
    state.audio = undefined;
    state.muted = false;
  }
  state.onChanged();
}

async function startTalking(state: VoiceState, session: RemoteSession): Promise<void> {
  const { call } = state;
  let at = 0;
  const opened = await openVoiceAudio((data) => {
    session.send('voice', { id: 0, at, data });
    at += data.length;
  }).catch(() => undefined);
  if (state.phase !== 'ringing' || state.call !== call) return opened?.close();
  if (!opened) {
    session.send('call', { do: 'hang_up' });
    return setPhase(state, 'idle', texts.noMicrophone);
  }
  state.audio = opened;
  setPhase(state, 'talking', texts.talking);
}

function draw(state: VoiceState, container: HTMLElement, session: RemoteSession): void {
  fill(
    container,
    element('p', { role: 'status' }, state.message),
    element('div', { class: 'row' }, ...buttons(state, session)),
  );
}

function buttons(state: VoiceState, session: RemoteSession): HTMLElement[] {
  if (state.phase === 'idle') return [button(texts.ring, () => ring(state, session), 'primary')];
  const hangUpButton = button(texts.hangUp, () => hangUp(state, session), 'danger');
  if (state.phase === 'ringing') return [hangUpButton];
  return [button(state.muted ? texts.unmute : texts.mute, () => toggleMute(state)), hangUpButton];
}

function ring(state: VoiceState, session: RemoteSession): void {
  if (!session.send('call', { do: 'ring' })) return;
  state.call += 1;
  setPhase(state, 'ringing', texts.ringing);
}

function hangUp(state: VoiceState, session: RemoteSession): void {
  session.send('call', { do: 'hang_up' });
  setPhase(state, 'idle', texts.ended);
}

function toggleMute(state: VoiceState): void {
  state.muted = !state.muted;
  state.audio?.mute(state.muted);
  state.onChanged();
}
